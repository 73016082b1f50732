public import Foundation
import PoolWire

/// An error of the pool itself, as opposed to a failed operation.
public struct PoolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable {
    private enum Base: Hashable, Sendable {
      case noWorker
      case alreadyEnqueued
      case cycle
      case deadlock
      case notReady
      case notEncodable
      case notSuccessful
      case alreadyExecuting
      case invalidInput
      case shutDown
      case system
    }

    private let base: Base

    /// No program was found that could be started as a worker, or none was to be started.
    public static let noWorker = Self(base: .noWorker)
    /// The operation is or was in a queue.
    public static let alreadyEnqueued = Self(base: .alreadyEnqueued)
    /// Operations wait for each other in a cycle.
    public static let cycle = Self(base: .cycle)
    /// The caller would block the operation that it waits for.
    public static let deadlock = Self(base: .deadlock)
    /// The operation waits for something.
    public static let notReady = Self(base: .notReady)
    /// An operation's input is not JSON, or cannot be encoded.
    public static let notEncodable = Self(base: .notEncodable)
    /// A value was requested of an operation that did not succeed, or whose result has another
    /// type.
    public static let notSuccessful = Self(base: .notSuccessful)
    /// The operation is executing, or has finished.
    public static let alreadyExecuting = Self(base: .alreadyExecuting)
    /// An input's name is taken, or its source has no product.
    public static let invalidInput = Self(base: .invalidInput)
    /// The queue was shut down.
    public static let shutDown = Self(base: .shutDown)
    /// A system call failed.
    public static let system = Self(base: .system)
  }

  /// The kind of error.
  public let code: Code

  /// One sentence for people, of 4 KiB at most.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    // It may contain a part of any size, such as a value that could not be encoded.
    self.description = description.bounded(to: Failure.messageLimit)
  }
}

extension PoolError: LocalizedError {
  /// The sentence, so that `localizedDescription` is it, too.
  public var errorDescription: String? { description }
}

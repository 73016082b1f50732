public import Foundation
import PoolWire

/// What a pool refuses to do, or cannot do.
public struct PoolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of refusal it is.
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
    /// The operation is in a queue already, or was.
    public static let alreadyEnqueued = Self(base: .alreadyEnqueued)
    /// Operations wait for each other in a cycle.
    public static let cycle = Self(base: .cycle)
    /// The caller would block the operation that it waits for.
    public static let deadlock = Self(base: .deadlock)
    /// The operation waits for something.
    public static let notReady = Self(base: .notReady)
    /// An operation's input is not JSON, or cannot be written as such.
    public static let notEncodable = Self(base: .notEncodable)
    /// A value was asked of an operation that did not succeed, or that is not of its type.
    public static let notSuccessful = Self(base: .notSuccessful)
    /// The operation executes already, or has finished.
    public static let alreadyExecuting = Self(base: .alreadyExecuting)
    /// An input's name is taken, or what it would be made from is not there.
    public static let invalidInput = Self(base: .invalidInput)
    /// The queue was shut down.
    public static let shutDown = Self(base: .shutDown)
    /// A system call failed.
    public static let system = Self(base: .system)
  }

  /// What kind of refusal it is.
  public let code: Code

  /// One sentence for people, of 4 KiB at most.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    // What could not be encoded may be a part of it, of any size.
    self.description = description.bounded(to: Failure.messageLimit)
  }
}

extension PoolError: LocalizedError {
  /// The sentence, so that `localizedDescription` is it, too.
  public var errorDescription: String? { description }
}

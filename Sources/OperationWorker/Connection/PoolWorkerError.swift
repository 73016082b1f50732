import PoolSystem

/// Why a worker could not serve, or had to stop.
public struct PoolWorkerError: Error, Hashable {
  /// The kind of reason.
  public enum Code: Hashable, Sendable {
    /// Two kinds with the same name were to be served.
    case duplicateKind
    /// The coordinator sent something that the protocol does not allow.
    case protocolViolation
    /// The call came on another thread than the main one, or after an `await` of `main`.
    case misplacedCall
    /// The operating system refused a resource that a worker needs.
    case system
  }

  /// The kind of reason.
  public let code: Code

  /// One sentence for people.
  public let message: String

  /// Whether the system lacked a resource that other processes may free.
  package let isShortage: Bool

  init(_ code: Code, _ message: String, isShortage: Bool = false) {
    self.code = code
    self.message = message
    self.isShortage = isShortage
  }
}

extension PoolWorkerError {
  static func cannotStart(_ error: SystemFailure) -> Self {
    Self(.system, "the worker cannot start: \(error)", isShortage: error.isShortage)
  }
}

extension PoolWorkerError: CustomStringConvertible {
  /// The sentence.
  public var description: String { message }
}

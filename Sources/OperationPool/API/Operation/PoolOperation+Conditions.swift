import OperationWorker
import PoolCore
import PoolModel
import PoolWire
import Synchronization

/// A condition of an operation's execution, evaluated when all dependencies have ended.
public struct PoolCondition: Sendable {
  /// Its name in messages.
  public let name: String

  let isMet: @Sendable (PoolOperation) async throws -> Bool

  /// Makes a condition from a closure, which gets the operation.
  ///
  /// If the closure returns false, the operation is skipped; if it throws, the operation fails.
  public init(_ name: String, _ isMet: @escaping @Sendable (PoolOperation) async throws -> Bool) {
    self.name = name
    self.isMet = isMet
  }

  /// The opposite of a condition.
  public static func not(_ condition: Self) -> Self {
    Self("not \(condition.name)") { try await !condition.isMet($0) }
  }
}

extension PoolOperation {
  /// Adds a condition, which is evaluated in this process when all dependencies of the operation
  /// have ended.
  ///
  /// Conditions are evaluated in the order in which they were added, up to the first that does not
  /// hold. A retry does not evaluate them again. Throws ``PoolError`` once the operation was added
  /// to a queue.
  public func addCondition(_ condition: PoolCondition) throws(PoolError) {
    try OperationRegistry.process.update { transaction throws(PoolError) in
      let (isAdded, id) = life.withLock { life in
        if !life.isAdded { life.conditions.append(condition) }
        return (life.isAdded, life.id)
      }
      guard !isAdded else {
        _ = register(&transaction)
        throw PoolError(.alreadyEnqueued, "'\(label)' is in a queue: it takes no condition")
      }
      if let id { transaction.requestPreparation(of: id) }
    }
  }

  /// Evaluates the conditions, and makes the input if it depends on the results of dependencies.
  func prepare() async -> Preparation<AttemptReport> {
    for condition in life.withLock({ $0.conditions }) {
      do {
        guard try await !condition.isMet(self) else { continue }
        let message = "its condition '\(condition.name)' does not hold"
        return .refused(.skipped, .condition, message)
      } catch {
        let reason = Failure.sentence(of: error)
        let message = "its condition '\(condition.name)' cannot be evaluated: \(reason)"
        return .refused(.failed, .condition, message)
      }
    }
    guard makesInputLate else { return .ready }
    do throws(PoolError) {
      let payload = try await preparedPayload()
      life.withLock { $0.payload = payload }
      return .ready
    } catch {
      return .refused(.failed, .input, error.description)
    }
  }
}

extension Preparation<AttemptReport> {
  fileprivate static func refused(
    _ ending: PoolEnding,
    _ cause: EndingCause,
    _ message: String
  ) -> Self {
    .ended(ending, cause, AttemptReport(note: message))
  }
}

import PoolCore
import PoolEvents
import PoolModel
import Synchronization

/// What a record says of an operation that was added, before it has a number.
struct Submission {
  let id: OperationID
  private let name: String?
  private let kind: String
  private let priority: PoolQueuePriority
  private let options: PoolOperationOptions
  private let dependencies: [(id: OperationID, requirement: PoolRequirement)]
  private let group: OperationID?
  private let memberCount: Int?

  /// Describes an operation; nil for one that was never in a queue.
  ///
  /// Takes the locks of operations.
  init?(_ operation: PoolOperation) {
    let (id, name, priority, elements, group) = operation.life.withLock { life in
      (life.id, life.name, life.priority, life.dependencies.elements, life.group)
    }
    guard let id else { return nil }
    (self.id, self.name, self.priority) = (id, name, priority)
    (kind, options) = (operation.kind, operation.options)
    dependencies = elements.compactMap { element in
      element.operation.life.withLock { $0.id }.map { ($0, element.requirement) }
    }
    self.group = group?.life.withLock { $0.id }
    memberCount = operation.hasMembers ? operation.allMembers.count : nil
  }

  /// The record; the closure numbers operations that have not ended.
  func record(_ number: (OperationID) -> Int?) -> SubmittedRecord? {
    guard let own = number(id) else { return nil }
    let text = Array("\(own + 1)".utf8)
    let description = OperationDescription(id: text, name: name.map { Array($0.utf8) } ?? text)
    var record = SubmittedRecord(number: own, description, key: nil, memberCount: memberCount)
    record.kind = memberCount == nil ? kind : nil
    record.group = group.flatMap(number)
    record.priority = priority
    record.dependencies = dependencies.compactMap { dependency in
      number(dependency.id).map { SubmittedRecord.Dependency($0, dependency.requirement) }
    }
    record.claims = options.exclusive.map {
      SubmittedRecord.Claim(Array($0.utf8), of: 1, isExclusive: true)
    }
    (record.slots, record.isBarrier) = (options.slots, options.isBarrier)
    record.timeout = options.timeout.map { Int64.nanoseconds(of: $0) }
    record.retries = options.retryPolicy.count
    record.expected = options.expectedDuration.map { Int64.nanoseconds(of: $0) }
    return record
  }
}

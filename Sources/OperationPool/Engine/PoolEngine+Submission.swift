package import PoolContents
package import PoolCore
package import PoolModel

/// Operations with numbers, and the groups whose numbers follow theirs.
package protocol NumberedOperations {
  /// Number of operations; the groups' numbers begin here.
  var count: Int { get }
  /// Number of groups.
  var groupCount: Int { get }
  /// The description of an operation.
  func spec(of operation: Int) -> OperationSpec
  /// Calls the closure with each dependency of an operation, which may be a group.
  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void)
  /// Calls the closure with each operation whose product an operation takes as input, and the
  /// input's description.
  func forEachInput(of operation: Int, _ body: (Int, InputDescription) -> Void)
  /// The group that an operation is a member of, counted from 0.
  func group(of operation: Int) -> Int?
}

extension PoolEngine {
  /// Submits a range of operations, and with the last range all groups.
  ///
  /// All operations of such an engine are submitted this way, in order, so that an operation's
  /// number equals its ``OperationID/number``. Ranks decide the order within a priority. Submits
  /// nothing if the closure, which is called under the lock, returns false.
  package func submit(
    _ numbers: Range<Int>,
    of operations: some NumberedOperations,
    by ranks: [Int64]?,
    to queue: QueueID,
    ifWanted isWanted: () -> Bool
  ) {
    update { transaction in
      guard isWanted() else { return }
      let groups = operations.count..<operations.count + operations.groupCount
      transaction.reserve(numbers.count + groups.count)
      for number in numbers { transaction.create(operations.spec(of: number), as: number) }
      for group in groups { transaction.create(.group, as: group) }
      for number in numbers {
        transaction.link(number, of: operations)
        operations.forEachInput(of: number) { maker, description in
          let (maker, taker) = (Transaction.id(maker), Transaction.id(number))
          inputs.give(description, of: maker, to: taker) { _ in false }
        }
      }
      transaction.enqueue(groups, by: nil, in: queue)
      transaction.enqueue(numbers, by: ranks, in: queue)
    }
  }
}

extension PoolEngine.Transaction {
  fileprivate mutating func create(_ spec: OperationSpec, as number: Int) {
    let id = create(spec)
    precondition(id == Self.id(number), "an operation's number is its index")
  }

  /// Adds the dependencies of an operation, and adds it to its group.
  fileprivate mutating func link(_ number: Int, of operations: some NumberedOperations) {
    let id = Self.id(number)
    operations.forEachDependency(of: number) { other, requirement in
      change(.addDependency(of: id, on: Self.id(other), requiring: requirement))
    }
    guard let group = operations.group(of: number) else { return }
    change(.addMember(id, to: Self.id(operations.count + group)))
  }

  fileprivate mutating func enqueue(_ numbers: Range<Int>, by ranks: [Int64]?, in queue: QueueID) {
    let cycle = enqueue(numbers.map(Self.id), by: ranks, in: queue)
    precondition(cycle == nil, "a manifest in which operations wait for each other is refused")
  }

  /// Whether no worker has a numbered operation that one had, and it has not ended.
  func hasComeBack(_ number: Int) -> Bool { acceptsDependencies(Self.id(number)) }

  /// The identifier of a numbered operation; ``create(_:as:)`` checks that the machine has given
  /// the same.
  fileprivate static func id(_ number: Int) -> OperationID {
    OperationID(index: number, generation: 0)
  }
}

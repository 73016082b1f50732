package import OperationPool
package import PoolCore
package import PoolModel
import PoolWire

/// What the command executes: numbered operations, from a manifest or from the inputs of a map.
package protocol Batch: Sendable {
  /// How many operations there are.
  var count: Int { get }
  /// The kinds that occur.
  var kindNames: [String] { get }
  /// The manifest's name, where there is one.
  var file: [UInt8]? { get }

  /// The identifier of an operation, UTF-8.
  func id(of operation: Int) -> [UInt8]
  /// The name for people, UTF-8.
  func name(of operation: Int) -> [UInt8]
  /// The line of the manifest, where there is one.
  func line(of operation: Int) -> Int?
  /// What it executes, on one line, for people.
  func label(of operation: Int) -> String
  /// The place of its kind in ``kindNames``.
  func kindIndex(of operation: Int) -> Int
  func priority(of operation: Int) -> PoolQueuePriority
  func timeout(of operation: Int) -> Int64?
  func retries(of operation: Int) -> Int?
  /// How the operation is made to end; nil for the run's own teardown sequence.
  func teardown(of operation: Int) -> PoolTeardownSequence?
  /// What the operation comes after, each to the closure; from ``count`` on these are groups.
  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void)
  /// All operations, each after what it comes after; nil where that is the order of the numbers.
  var dependencyOrder: [UInt32]? { get }
  /// What each operation waits for, in whatever way, and behind the operations nodes that only tie
  /// dependencies together; nil where nothing waits.
  var graph: DependencyRows? { get }
  /// Nanoseconds that an execution will likely take; nil where the batch does not say it.
  func expected(of operation: Int) -> Int64?
  /// The program that the operation executes, as bytes that differ for different ones; nil where
  /// its kind, or the batch, says that.
  func program(of operation: Int) -> [UInt8]?
  /// What a worker is sent, but for its inputs.
  func execution(of operation: Int) -> OperationExecution
  /// The operation has settled, and is not executed again: frees its input; returns its bytes.
  func release(_ operation: Int) -> Int

  /// How many resources there are that operations may claim.
  var resourceCount: Int { get }
  /// A resource, by its number.
  func resource(_ index: Int) -> ManifestResource
  /// The numbers of the resources that the operation needs one unit of, each once.
  func claims(of operation: Int) -> [Int]
  /// How many places the operation takes, at least 1.
  func slots(of operation: Int) -> Int
  /// Whether the operation waits for all before it, and those after it wait for it.
  func isBarrier(_ operation: Int) -> Bool
  /// How many groups there are.
  var groupCount: Int { get }
  /// The name of a group, UTF-8.
  func groupName(_ group: Int) -> [UInt8]
  /// The group that the operation is a member of.
  func group(of operation: Int) -> Int?
  /// Each input of the operation to the closure: its name, UTF-8, and whose output it is, which
  /// is also among the dependencies.
  func forEachInput(of operation: Int, _ body: ([UInt8], Int) -> Void)
}

// Nothing special, unless a batch says so.
extension Batch {
  package var dependencyOrder: [UInt32]? { nil }
  package var graph: DependencyRows? { nil }
  package func expected(of operation: Int) -> Int64? { nil }
  package func release(_ operation: Int) -> Int { 0 }
  package func program(of operation: Int) -> [UInt8]? { nil }
  package func teardown(of operation: Int) -> PoolTeardownSequence? { nil }
  package var resourceCount: Int { 0 }
  package func resource(_ index: Int) -> ManifestResource {
    preconditionFailure("a batch without resources is asked for one")
  }
  package func claims(of operation: Int) -> [Int] { [] }
  package func slots(of operation: Int) -> Int { 1 }
  package func isBarrier(_ operation: Int) -> Bool { false }
  package var groupCount: Int { 0 }
  package func groupName(_ group: Int) -> [UInt8] {
    preconditionFailure("a batch without groups is asked for one")
  }
  package func group(of operation: Int) -> Int? { nil }
  package func forEachInput(of operation: Int, _ body: ([UInt8], Int) -> Void) {}
}

extension Manifest: Batch {
  package var dependencyOrder: [UInt32]? { order.order }

  package func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {
    for (target, requirement) in dependencies(of: operation) { body(target, requirement) }
  }

  package func execution(of operation: Int) -> OperationExecution {
    var execution = OperationExecution(
      kind: kindName(of: operation),
      qualityOfService: qualityOfService(of: operation),
      payload: payload(of: operation)
    )
    execution.name = givenName(of: operation).map { String(decoding: $0, as: UTF8.self) }
    return execution
  }
}

/// One command for each input.
struct MapBatch: Batch {
  let template: Template
  let inputs: InputList

  var count: Int { inputs.count }
  var kindNames: [String] { [CommandPayload.kind] }
  var file: [UInt8]? { nil }

  func id(of operation: Int) -> [UInt8] { Array(String(operation + 1).utf8) }
  func name(of operation: Int) -> [UInt8] { id(of: operation) }
  func line(of operation: Int) -> Int? { nil }
  func kindIndex(of operation: Int) -> Int { 0 }
  func priority(of operation: Int) -> PoolQueuePriority { .normal }
  func timeout(of operation: Int) -> Int64? { nil }
  func retries(of operation: Int) -> Int? { nil }
  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {}

  func label(of operation: Int) -> String {
    CommandLabel.text(command(operation).action)
  }

  func execution(of operation: Int) -> OperationExecution {
    OperationExecution(
      kind: CommandPayload.kind,
      qualityOfService: .default,
      payload: command(operation).json
    )
  }

  func release(_ operation: Int) -> Int { inputs.release(operation) }

  private func command(_ operation: Int) -> CommandPayload {
    template.command(input: inputs[operation], number: operation + 1)
  }
}

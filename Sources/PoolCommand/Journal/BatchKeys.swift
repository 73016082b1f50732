import OperationPool
import PoolJournal
import PoolModel
import PoolWire

/// The journal's keys of the operations of a batch.
struct BatchKeys: Sendable {
  private let version: KeyVersion
  private var maker = ContentKeys()
  private var keys: [ContentDigest] = []
  /// The members of each group, and the group's key after its first use.
  private var members: [[Int]] = []
  private var groupKeys: [ContentDigest?] = []

  init(_ version: KeyVersion) {
    self.version = version
  }

  /// The key of an operation that was added.
  subscript(operation: Int) -> ContentDigest { keys[operation] }

  /// Computes the keys of the operations that come next in the batch.
  mutating func add(_ operations: Range<Int>, of batch: any Batch) {
    keys.append(contentsOf: repeatElement(.zero, count: operations.count))
    addMembers(operations, of: batch)
    if let order = batch.dependencyOrder {
      precondition(operations == 0..<order.count, "a batch with dependencies is known as a whole")
      for operation in order { keys[Int(operation)] = key(of: Int(operation), in: batch) }
    } else {
      for operation in operations { keys[operation] = key(of: operation, in: batch) }
    }
  }

  private mutating func addMembers(_ operations: Range<Int>, of batch: any Batch) {
    guard batch.groupCount > 0 else { return }
    members = [[Int]](repeating: [], count: batch.groupCount)
    groupKeys = [ContentDigest?](repeating: nil, count: batch.groupCount)
    for operation in operations {
      if let group = batch.group(of: operation) { members[group].append(operation) }
    }
  }

  private mutating func key(of operation: Int, in batch: any Batch) -> ContentDigest {
    var targets: [(Int, PoolRequirement)] = []
    batch.forEachDependency(of: operation) { targets.append(($0, $1)) }
    var inputs: [OperationContent.Input] = []
    batch.forEachInput(of: operation) { inputs.append(.init($0, from: keys[$1])) }
    let dependencies = targets.map { target, requirement in
      OperationContent.Dependency(key(ofNode: target, in: batch), requirement)
    }
    let action = Self.action(of: batch.execution(of: operation))
    var content = OperationContent(action, dependencies: dependencies, inputs: inputs)
    content.standardInput = batch.inputDigests(of: operation)
    if version == .contentAndIdentifier { content.identifier = batch.givenID(of: operation) }
    return maker.key(of: content)
  }

  /// The key of an operation or, for numbers behind the operations, of a group.
  private mutating func key(ofNode node: Int, in batch: any Batch) -> ContentDigest {
    guard node >= batch.count else { return keys[node] }
    let group = node - batch.count
    if let key = groupKeys[group] { return key }
    let key = maker.key(ofGroup: members[group].map { keys[$0] })
    groupKeys[group] = key
    return key
  }

  private static func action(of execution: OperationExecution) -> OperationContent.Action {
    if execution.kind == CommandPayload.kind,
      let command = execution.payload.withUnsafeBytes({ try? CommandPayload(json: $0) })
    {
      return .command(command)
    }
    return .kind(Array(execution.kind.utf8), payload: execution.payload)
  }
}

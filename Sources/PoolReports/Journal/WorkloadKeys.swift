import PoolContents
package import PoolInputs
package import PoolJournal
import PoolModel
package import PoolWire

/// The journal's keys of the operations of a workload.
package struct WorkloadKeys: Sendable {
  private let version: KeyVersion
  private var maker = ContentKeys()
  private var keys: [ContentDigest] = []
  /// The members of each group, and the group's key after its first use.
  private var members: [[Int]] = []
  private var groupKeys: [ContentDigest?] = []

  package init(_ version: KeyVersion) {
    self.version = version
  }

  /// The key of an operation that was added.
  package subscript(operation: Int) -> ContentDigest { keys[operation] }

  /// Computes the keys of the operations that come next in the workload.
  package mutating func add(_ operations: Range<Int>, of workload: any Workload) {
    keys.append(contentsOf: repeatElement(.zero, count: operations.count))
    addMembers(operations, of: workload)
    if let order = workload.dependencyOrder {
      precondition(
        operations == 0..<order.count,
        "a workload with dependencies is known as a whole"
      )
      for operation in order { keys[Int(operation)] = key(of: Int(operation), in: workload) }
    } else {
      for operation in operations { keys[operation] = key(of: operation, in: workload) }
    }
  }

  private mutating func addMembers(_ operations: Range<Int>, of workload: any Workload) {
    guard workload.groupCount > 0 else { return }
    members = [[Int]](repeating: [], count: workload.groupCount)
    groupKeys = [ContentDigest?](repeating: nil, count: workload.groupCount)
    for operation in operations {
      if let group = workload.group(of: operation) { members[group].append(operation) }
    }
  }

  private mutating func key(of operation: Int, in workload: any Workload) -> ContentDigest {
    var targets: [(Int, PoolRequirement)] = []
    workload.forEachDependency(of: operation) { targets.append(($0, $1)) }
    var inputs: [OperationContent.Input] = []
    workload.forEachInput(of: operation) { inputs.append(.init($0, from: keys[$1])) }
    let dependencies = targets.map { target, requirement in
      OperationContent.Dependency(key(ofNode: target, in: workload), requirement)
    }
    let action = Self.action(of: workload.execution(of: operation))
    var content = OperationContent(action, dependencies: dependencies, inputs: inputs)
    content.standardInput = workload.inputDigests(of: operation)
    if version == .contentAndIdentifier { content.identifier = workload.givenID(of: operation) }
    return maker.key(of: content)
  }

  /// The key of an operation or, for numbers behind the operations, of a group.
  private mutating func key(ofNode node: Int, in workload: any Workload) -> ContentDigest {
    guard node >= workload.count else { return keys[node] }
    let group = node - workload.count
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

package import PoolContents
import PoolCore
package import PoolModel

extension Manifest: Workload {
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

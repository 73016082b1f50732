package import PoolAnalysis
import PoolEvents
package import PoolInputs
import PoolModel

/// The plan of a workload for virtual time.
package struct WorkloadPlan {
  package private(set) var plan = VirtualPlan()
  /// How many operations were not measured, and have no expected duration.
  package private(set) var unknownCount = 0

  /// Takes durations from an earlier run, or, for an operation that is not in it, the expected one,
  /// or else the mean; without any, an operation takes a second.
  package init(_ workload: any Workload, _ measured: MeasuredRun?) {
    measured?.giveTimes(to: &plan)
    plan.groupCount = workload.groupCount
    plan.resources = (0..<workload.resourceCount).map { index in
      let resource = workload.resource(index)
      return VirtualPlan.Resource(name: resource.name, units: resource.units)
    }
    for number in 0..<workload.count {
      plan.nodes.append(node(number, of: workload, measured))
    }
  }

  private mutating func node(
    _ number: Int,
    of workload: any Workload,
    _ measured: MeasuredRun?
  ) -> VirtualPlan.Node {
    var node = VirtualPlan.Node(attempts: attempts(number, of: workload, measured))
    workload.forEachDependency(of: number) { other, requirement in
      node.dependencies.append(SubmittedRecord.Dependency(other, requirement))
    }
    node.group = workload.group(of: number)
    node.claims = workload.claims(of: number)
    node.slots = workload.slots(of: number)
    node.priority = workload.priority(of: number)
    node.isBarrier = workload.isBarrier(number)
    return node
  }

  private mutating func attempts(
    _ number: Int,
    of workload: any Workload,
    _ measured: MeasuredRun?
  ) -> [VirtualPlan.Attempt] {
    if let known = measured?.attempts[workload.id(of: number)] { return known }
    if let expected = workload.expected(of: number) {
      return [VirtualPlan.Attempt(duration: expected)]
    }
    unknownCount += 1
    return [measured?.mean ?? VirtualPlan.Attempt(duration: .seconds(1))]
  }
}

import PoolCore
import PoolModel

/// Puts graphs through the core alone: four workers that answer at once, and no clock.
enum CoreMill {
  static func run(_ shape: Shape, _ count: Int) {
    var machine = PoolMachine()
    let kind = machine.dispatcher.addKind()
    let fleet = machine.addFleet()
    _ = machine.addConfiguration(ConfigurationSpec(count: 4, kinds: [kind]), to: fleet)
    let queue = machine.addQueue(to: fleet)
    machine.graph.reserve(count)
    let ids = (0..<count).map { _ in machine.create(OperationSpec(kind: kind)) }
    for index in ids.indices {
      for other in shape.dependency(of: index, count: count) {
        let cycle = machine.change(
          .addDependency(of: ids[index], on: ids[other], requiring: .finished),
          at: .zero
        )
        precondition(cycle == nil, "no shape has a cycle")
      }
    }
    for id in ids { machine.enqueue([id], in: queue, at: .zero) }
    let succeeded = execute(&machine, kind)
    precondition(succeeded == count, "all have succeeded")
    for id in ids { machine.release(id, at: .zero) }
  }

  /// Returns how many have succeeded.
  private static func execute(_ machine: inout PoolMachine, _ kind: KindID) -> Int {
    var succeeded = 0
    let capabilities: Set<Capability> = [.prefetch, .recall, .cancel]
    var effects: [Effect] = []
    var teardowns: [PoolTeardownSequence] = []
    while machine.graph.unsettledCount > 0 {
      machine.dispatch(at: .zero)
      machine.context.take(&effects, &teardowns)
      for effect in effects {
        switch effect {
        case .spawn(let worker, _):
          _ = machine.workerGreeted(worker, kinds: [kind], capabilities: capabilities, at: .zero)
        case .dispatch(let worker, let reference, _):
          _ = machine.workerReported(.executing(group: nil), reference, by: worker, at: .zero)
          _ = machine.workerReported(
            .answered(.succeeded, .error, .none),
            reference,
            by: worker,
            at: .zero
          )
        case .settle(let settlement): succeeded += settlement.ending == .succeeded ? 1 : 0
        default: break
        }
      }
    }
    return succeeded
  }
}

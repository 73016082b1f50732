import PoolModel
import Testing

@testable import PoolCore

/// Effects say all that their performing needs, without a second look at the machine.
@Suite("Effects")
struct EffectTests {
  @Test("a greeting that is accepted is answered, and a request to stop names its sequence")
  func completeness() {
    var machine = PoolMachine()
    let kind = machine.dispatcher.addKind()
    let fleet = machine.addFleet()
    _ = machine.addConfiguration(ConfigurationSpec(count: 1, kinds: [kind]), to: fleet)
    let queue = machine.addQueue(to: fleet)
    var spec = OperationSpec(kind: kind)
    spec.teardown = .immediate
    let id = machine.create(spec)
    machine.enqueue([id], in: queue, at: .zero)
    machine.dispatch(at: .zero)
    let worker = WorkerID(rawValue: 1)
    let capabilities = Set<Capability>.full
    for _ in 0..<2 {
      _ = machine.workerGreeted(worker, kinds: [kind], capabilities: capabilities, at: .zero)
    }
    var effects: [Effect] = []
    var teardowns: [PoolTeardownSequence] = []
    machine.context.take(&effects, &teardowns)
    #expect(effects.filter { $0 == .welcome(worker, slot: 1) }.count == 1)
    machine.dispatch(at: .zero)
    machine.change(.cancel(id), at: .zero)
    machine.context.take(&effects, &teardowns)
    let asked = effects.compactMap { effect in
      if case .requestCancel(_, _, let sequence) = effect { return Int(sequence.rawValue) }
      return nil
    }
    #expect(asked == [0])
    #expect(teardowns == [.immediate])
    machine.context.take(&effects, &teardowns)
    #expect(teardowns.isEmpty)
  }

  @Test("effects are copied as bytes are")
  func trivial() {
    #expect(_isPOD(Effect.self))
    #expect(_isPOD(HeadOperation.self))
    #expect(_isPOD(OperationLife.self))
  }
}

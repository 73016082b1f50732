import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// How long one operation waits among others that never end to come.
///
/// Streams of operations keep a fleet busy: whenever one of a stream ends, the next one is added.
/// In between comes one that needs a slot, or several, and some units, all of which the streams
/// take at different times. Whatever they need, it is executed after a bounded number of others.
@Suite("Bound for waiting")
struct WaitingBoundTests {
  @Test("whatever others take, an operation is executed after a bounded number of others")
  func bounded() {
    for seed in RandomSeeds.first(30) {
      var loop = ClosedLoop(seed: seed)
      let count = loop.overtakings(within: 4_000)
      guard let count, count <= 400 else {
        Issue.record("seed \(seed): \(count.map { "waits for \($0)" } ?? "never executed")")
        return
      }
    }
  }
}

/// Streams of operations, and one among them.
private struct ClosedLoop: ~Copyable {
  /// Operations that follow each other, with the same needs.
  private struct Stream {
    let queue: QueueID
    let spec: OperationSpec
  }

  private var machine = PoolMachine()
  private var generator: SeededGenerator
  private var queues: [QueueID] = []
  private var resources: [ResourceID] = []
  private var streams: [Stream] = []
  private var streamOf: [OperationID: Int] = [:]
  /// What executes, and when it ends.
  private var executing: [(reference: DispatchReference, worker: WorkerID, end: Instant)] = []
  private var effects: [Effect] = []
  private var now = Instant.zero
  private let kind: KindID
  private var waiting: OperationID?
  private var overtakingCount = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    kind = machine.dispatcher.addKind()
    let fleet = machine.addFleet()
    let count = Int.random(in: 2...4, using: &generator)
    _ = machine.addConfiguration(ConfigurationSpec(count: count, kinds: [kind]), to: fleet)
    for _ in 0..<3 {
      queues.append(machine.addQueue(to: fleet))
      let width = Int.random(in: 1...3, using: &generator)
      machine.change(.width(width, of: queues.last ?? queues[0]))
    }
    resources = [1, 1, 2].map { machine.dispatcher.addResource(capacity: $0) }
    for _ in 0..<8 { streams.append(Stream(queue: anyQueue(), spec: anySpec())) }
    for stream in streams.indices { add(stream) }
  }

  private mutating func anyQueue() -> QueueID {
    queues[Int.random(in: 0..<queues.count, using: &generator)]
  }

  private mutating func anySpec() -> OperationSpec {
    var spec = OperationSpec(kind: kind)
    spec.claims = resources.filter { _ in Bool.random(using: &generator) }
    if Int.random(in: 0..<4, using: &generator) == 0 { spec.slots = 2 }
    return spec
  }

  private mutating func add(_ stream: Int) {
    let id = machine.create(streams[stream].spec)
    streamOf[id] = stream
    machine.enqueue([id], in: streams[stream].queue, at: now)
  }

  /// How many others are executed before the one that is added among them; nil if it is not
  /// executed within this number of ends.
  mutating func overtakings(within limit: Int) -> Int? {
    for _ in 0..<20 { endNext() }
    let id = machine.create(anySpec())
    machine.enqueue([id], in: anyQueue(), at: now)
    waiting = id
    perform()
    for _ in 0..<limit where waiting != nil { endNext() }
    return waiting == nil ? overtakingCount : nil
  }

  /// Lets the next operation end, and adds the next one of its stream.
  private mutating func endNext() {
    perform()
    guard let next = executing.indices.min(by: { executing[$0].end < executing[$1].end }) else {
      return
    }
    let (reference, worker, end) = executing.remove(at: next)
    now = end
    _ = machine.workerReported(.answered(.succeeded, .error, .none), reference, by: worker, at: now)
    if let stream = streamOf.removeValue(forKey: reference.operation) { add(stream) }
    machine.release(reference.operation, at: now)
    perform()
  }

  private mutating func perform() {
    repeat {
      machine.dispatch(at: now)
      machine.takeEffects(into: &effects)
      for effect in effects { perform(effect) }
    } while !effects.isEmpty
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .spawn(let worker, _):
      _ = machine.workerGreeted(worker, kinds: [kind], capabilities: .minimal, at: now)
    case .dispatch(let worker, let reference, _): begin(reference, on: worker)
    default: break
    }
  }

  private mutating func begin(_ reference: DispatchReference, on worker: WorkerID) {
    if reference.operation == waiting {
      waiting = nil
    } else if waiting != nil {
      overtakingCount += 1
    }
    let duration = Int64.milliseconds(Int.random(in: 1...1_000, using: &generator))
    _ = machine.workerReported(.executing(group: nil), reference, by: worker, at: now)
    executing.append((reference, worker, now.advanced(by: duration)))
  }
}

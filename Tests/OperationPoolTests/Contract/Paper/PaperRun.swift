import Foundation
import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport

/// A random sequence of public calls, each made to a real pool and on paper.
///
/// Whatever the pool begins or ends is compared after every call. The whole run follows from its
/// seed.
struct PaperRun {
  /// The queue with a fleet of its own.
  static let foreignQueue = 2

  let seed: UInt64
  var generator: SeededGenerator
  var paper = PaperPool()
  let stage = PaperStage()
  var queues: [PoolOperationQueue?] = []
  /// A released operation is nil.
  var operations: [PoolOperation?] = []
  var gates: [(operation: Int, gate: PoolGate)] = []
  /// Evaluations of conditions that were not answered.
  var questions: [PaperStage.Question] = []
  let fleet: PoolFleet
  let limits = [PoolLimit(1), PoolLimit(2)]
  /// What was done, and what was wrong.
  var history: [String] = []
  var faults: [String] = []

  /// Makes the pool: three queues, of which two share a fleet.
  init(seed: UInt64) throws(PoolError) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    fleet = try PoolFleet()
    queues = [
      PoolOperationQueue(fleet: fleet), PoolOperationQueue(fleet: fleet),
      PoolOperationQueue(fleet: try PoolFleet()),
    ]
    paper.queues = Array(repeating: .init(), count: queues.count)
    paper.units = ["limit 0": 1, "limit 1": 2]
  }

  /// Makes so many calls, and then lets everything finish; returns what was wrong.
  mutating func play(_ count: Int) -> [String] {
    for _ in 0..<count where faults.isEmpty {
      act()
      check()
    }
    finish()
    guard !faults.isEmpty else { return [] }
    return ["seed \(seed)"] + history + faults
  }

  mutating func note(_ line: String) { history.append(line) }

  /// What the real pool said to a call must be what it says on paper.
  mutating func expect(_ isAccepted: Bool, _ call: () throws(PoolError) -> Void) {
    stage.allow(paper.operations.map(\.begun))
    do throws(PoolError) {
      try call()
      if !isAccepted { faults.append("should have been refused") }
    } catch {
      if isAccepted { faults.append("refused: \(error)") }
    }
  }

  /// Makes a call on paper; nil, and nothing has changed, where more than one thing could follow.
  mutating func attempt<Value>(_ call: (inout PaperPool) -> Value) -> Value? {
    var copy = paper
    let value = call(&copy)
    guard !copy.isAmbiguous else { return nil }
    for index in copy.operations.indices where copy.operations[index].asked > asked(index) {
      questions.append(.init(index: index, number: copy.operations[index].asked))
    }
    paper = copy
    return value
  }

  private func asked(_ index: Int) -> Int {
    index < paper.operations.count ? paper.operations[index].asked : 0
  }

  /// A call that nothing refuses.
  mutating func perform(_ call: () -> Void) {
    expect(true) { call() }
  }
}

// MARK: - Comparing

extension PaperRun {
  /// Compares everything that can be asked.
  mutating func check() {
    guard faults.isEmpty else { return }
    faults += stage.settle(
      PaperStage.Sight(
        begun: paper.operations.map { $0.isGroup ? 0 : $0.begun },
        completed: paper.operations.map { $0.isFinished ? 1 : 0 },
        asked: paper.operations.map(\.asked)
      )
    )
    guard faults.isEmpty else { return }
    for index in operations.indices { check(index) }
    for index in queues.indices {
      guard let queue = queues[index] else { continue }
      let expected = paper.members(of: index)
      let members = queue.operations.map { member in operations.firstIndex { $0 === member } ?? -1 }
      let known = expected.map { operations[$0] == nil ? -1 : $0 }
      if members != known || queue.operationCount != expected.count {
        faults.append("queue \(index) has \(members), expected \(known)")
      }
    }
  }

  private mutating func check(_ index: Int) {
    guard let operation = operations[index] else { return }
    let expected = paper.operations[index]
    let state = state(on: index)
    // An attempt that is to be repeated ends without any other news than the state.
    let deadline = MonotonicClock.now + .seconds(300)
    while operation.state != state, MonotonicClock.now < deadline { sched_yield() }
    let dependencies = operation.dependencies.map { other in
      operations.firstIndex { $0 === other } ?? -1
    }
    let known = expected.dependencies.map { operations[$0.index] == nil ? -1 : $0.index }
    let members = (operation as? PoolGroupOperation)?.operations.count ?? 0
    let isRight =
      operation.state == state && operation.isCancelled == expected.isCancelled
      && dependencies == known && operation.outcome?.ending == ending(on: index)
      && operation.isReady == (state == .ready) && members == expected.members.count
      && operation.outcome?.attempts ?? expected.begun == expected.begun
    guard !isRight else { return }
    faults.append(
      "\(index) is \(operation.state), cancelled \(operation.isCancelled), after \(dependencies), "
        + "ended \(String(describing: operation.outcome)), expected \(state) of \(expected)"
    )
  }

  private func state(on index: Int) -> PoolOperation.State {
    switch paper.operations[index].phase {
    case .executing: .executing
    case .finished: .finished
    case .loose, .queued: paper.isReady(index) ? .ready : .pending
    case .preparing: .pending
    }
  }

  private func ending(on index: Int) -> PoolEnding? {
    guard case .finished(let ending) = paper.operations[index].phase else { return nil }
    return ending
  }
}

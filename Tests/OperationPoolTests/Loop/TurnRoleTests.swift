import Testing

@testable import OperationPool

/// Contract: one thread takes turns at a time, and whatever is to be done is done by the thread
/// that does, or by one that is woken for it.
@Suite("The role of the thread that takes turns")
struct TurnRoleTests {
  @Test("a free role is taken; of a taken one, the thread learns that it must look again")
  func take() {
    var role = TurnRole.free
    #expect(role.take() && role == .held)
    #expect(!role.take() && role == .wanted)
    #expect(!role.take() && role == .wanted)
  }

  @Test("who cannot take a turn learns whether a thread will look", arguments: TurnRole.allCases)
  func want(_ before: TurnRole) {
    var role = before
    #expect(role.want() == (before != .free))
    #expect(role == (before == .free ? .free : .wanted))
  }

  @Test("a thread leaves unless it must look again", arguments: TurnRole.allCases)
  func leave(_ before: TurnRole) {
    var role = before
    #expect(role.leave() == (before == .held))
    #expect(role == (before == .held ? .free : before))
  }

  @Test(
    "in no interleaving of an adder, two threads of blocks and the loop is an operation left behind",
    arguments: [Set<Int>(), [0], [1, 3], [0, 1, 2, 3]]
  )
  func interleavings(rare: Set<Int>) {
    var seen: Set<TurnModel> = []
    var open = [TurnModel(rare: rare)]
    while let model = open.popLast() {
      guard seen.insert(model).inserted else { continue }
      guard model.holderCount <= 1 else {
        Issue.record("two threads take turns: \(model)")
        return
      }
      let next = model.next
      if next.isEmpty, !model.isAtRest {
        Issue.record("something is left: \(model)")
        return
      }
      open += next
    }
    #expect(seen.count > 1_000)
  }
}

/// Four operations, which one thread adds one by one, two threads that execute them as blocks, and
/// the loop, each at one of its steps.
///
/// A step is what happens under the engine's lock, or one access outside it.
private struct TurnModel: Hashable {
  /// What a turn has to perform: ends, and operations that workers get.
  struct Turn: Hashable {
    var ended = 0
    var dispatched: [Int] = []
    var isEmpty: Bool { ended == 0 && dispatched.isEmpty }
  }

  enum Step: Hashable {
    case idle
    case executing(Int)
    case performing(Turn)
    case leaving
  }

  enum LoopStep: Hashable {
    case asleep
    case waiting
    case deciding
    case performing(Turn)
    case leaving
  }

  static let width = 2

  /// Operations whose ends only the loop can tell.
  let rare: Set<Int>
  var role = TurnRole.free
  var isLoopWaiting = false
  var isLoopWoken = false
  /// Whether the time at which an operation must have ended is not known to the loop, which alone
  /// waits for it.
  var isDeadlineNew = false
  var toAdd = Array(0..<4)
  var ready: [Int] = []
  var assigned = 0
  var answers: [Int] = []
  /// What the machine has decided, and no thread has taken.
  var left = Turn()
  var pending: [Int] = []
  var told = 0
  var adder = Step.idle
  var threads = [Step.idle, Step.idle]
  var loop = LoopStep.asleep

  init(rare: Set<Int>) { self.rare = rare }

  var holderCount: Int {
    let others = (threads + [adder]).filter { step in
      switch step {
      case .idle, .executing: false
      case .performing, .leaving: true
      }
    }
    return others.count + (loop == .asleep || loop == .waiting ? 0 : 1)
  }

  var isAtRest: Bool {
    told == 4 && role == .free && !isDeadlineNew && loop == .asleep && adder == .idle
      && threads == [.idle, .idle]
  }

  private var wantsTurn: Bool { !left.isEmpty || !ready.isEmpty && assigned < Self.width }
  private var hasWork: Bool { !answers.isEmpty || wantsTurn }

  /// What may happen next.
  var next: [Self] {
    adderSteps + threads.indices.flatMap(steps) + loopSteps
  }

  // MARK: The machine

  /// The machine hears the answers, and dispatches; returns whether any thread can perform what
  /// follows.
  private mutating func decide() -> Bool {
    let isPlain = answers.allSatisfy { !rare.contains($0) } && left.isEmpty
    assigned -= answers.count
    left.ended += answers.count
    answers = []
    dispatch()
    return isPlain
  }

  private mutating func dispatch() {
    while assigned < Self.width, !ready.isEmpty {
      left.dispatched.append(ready.removeFirst())
      assigned += 1
    }
  }

  private mutating func takeEffects() -> Turn {
    defer { left = Turn() }
    return left
  }

  private mutating func perform(_ turn: Turn) {
    told += turn.ended
    pending += turn.dispatched
  }

  private mutating func free() {
    role = .free
    if hasWork { isLoopWoken = true }
  }

  // MARK: The thread that adds

  private var adderSteps: [Self] {
    var copy = self
    switch adder {
    case .idle:
      guard !toAdd.isEmpty else { return [] }
      copy.ready.append(copy.toAdd.removeFirst())
      copy.dispatchAdded()
    case .executing: return []
    case .performing(let turn):
      copy.perform(turn)
      copy.adder = .leaving
    case .leaving:
      if !copy.role.leave() { copy.free() }
      copy.adder = .idle
    }
    return [copy]
  }

  private mutating func dispatchAdded() {
    guard wantsTurn else { return }
    guard !isLoopWaiting, role.take() else {
      if !isLoopWaiting, !role.want() { isLoopWoken = true }
      return
    }
    let isPlain = left.isEmpty
    dispatch()
    if isPlain {
      adder = .performing(takeEffects())
    } else {
      free()
    }
  }

  // MARK: Threads of blocks

  private func steps(of thread: Int) -> [Self] {
    var copy = self
    switch threads[thread] {
    case .idle:
      guard !pending.isEmpty else { return [] }
      copy.threads[thread] = .executing(copy.pending.removeFirst())
      // Whoever takes turns.
      (copy.isDeadlineNew, copy.isLoopWoken) = (true, true)
    case .executing(let operation):
      copy.answers.append(operation)
      copy.answered(by: thread)
    case .performing(let turn):
      copy.perform(turn)
      copy.threads[thread] = .leaving
    case .leaving:
      guard !copy.role.leave() else {
        copy.threads[thread] = .idle
        return [copy]
      }
      // It looks again; or it has taken as many turns in a row as it may.
      var last = self
      last.free()
      last.threads[thread] = .idle
      copy.lookAgain(by: thread)
      return [copy, last]
    }
    return [copy]
  }

  private mutating func answered(by thread: Int) {
    threads[thread] = .idle
    guard !isLoopWaiting, role.take() else {
      if !isLoopWaiting, !role.want() { isLoopWoken = true }
      return
    }
    beginTurn(by: thread)
  }

  private mutating func lookAgain(by thread: Int) {
    threads[thread] = .idle
    guard hasWork, !isLoopWaiting, left.isEmpty else { return free() }
    role = .held
    beginTurn(by: thread)
  }

  private mutating func beginTurn(by thread: Int) {
    if decide() {
      threads[thread] = .performing(takeEffects())
    } else {
      isLoopWoken = true
      threads[thread] = .performing(Turn())
    }
  }

  // MARK: The loop

  private var loopSteps: [Self] {
    var copy = self
    switch loop {
    case .asleep:
      guard isLoopWoken else { return [] }
      copy.isLoopWaiting = !copy.role.take()
      copy.loop = copy.isLoopWaiting ? .waiting : .deciding
    case .waiting:
      // A thread that frees the role tells the loop, which looks again.
      guard copy.role == .free, copy.role.take() else { return [] }
      copy.isLoopWaiting = false
      copy.loop = .deciding
    case .deciding:
      (copy.isLoopWoken, copy.isDeadlineNew) = (false, false)
      _ = copy.decide()
      copy.loop = .performing(copy.takeEffects())
    case .performing(let turn):
      copy.perform(turn)
      copy.loop = .leaving
    case .leaving:
      if !copy.role.leave() { copy.free() }
      copy.loop = .asleep
    }
    return [copy]
  }
}

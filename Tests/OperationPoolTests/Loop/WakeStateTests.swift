import PoolSystem
import Testing

@testable import OperationPool

/// Contract: what is told to the loop wakes it, whenever it comes, and no pipe is written in vain.
@Suite("Wake-ups")
struct WakeStateTests {
  @Test(
    "only a loop that sleeps must be woken by its pipe, and only once",
    arguments: WakeState.allCases
  )
  func wake(_ before: WakeState) {
    var state = before
    #expect(state.wake() == (before == .asleep))
    #expect(state == .awake)
    #expect(!state.wake() && state == .awake)
  }

  @Test("a loop that waits listens or sleeps", arguments: WakeState.allCases)
  func wait(_ before: WakeState) {
    var state = before
    state.beginWaiting(spinning: true)
    #expect(state == .spinning)
    state.beginWaiting(spinning: false)
    #expect(state == .asleep)
  }

  @Test("a loop that listened sleeps, unless it was woken", arguments: WakeState.allCases)
  func fallAsleep(_ before: WakeState) {
    var state = before
    #expect(state.fallAsleep() == (before == .spinning))
    #expect(state == (before == .spinning ? .asleep : before))
  }

  @Test("the spinning loop sees that it was woken; a sleeping one has its pipe written")
  func wakeUps() throws {
    var wakeUps = WakeUps()
    let pipe = try WakePipe()
    #expect(!wakeUps.hasLoop && wakeUps.wake() == nil)
    #expect(wakeUps.beginLoop(pipe) && !wakeUps.beginLoop(pipe))
    #expect(wakeUps.hasLoop && wakeUps.flag.isAwake && wakeUps.wake() == nil)
    wakeUps.beginWaiting(spinning: true)
    #expect(!wakeUps.flag.isAwake)
    #expect(wakeUps.wake() == nil && wakeUps.flag.isAwake && !wakeUps.fallAsleep())
    wakeUps.beginWaiting(spinning: true)
    #expect(wakeUps.fallAsleep() && wakeUps.state == .asleep)
    #expect(wakeUps.wake() === pipe && wakeUps.wake() == nil)
    wakeUps.beginWaiting(spinning: false)
    wakeUps.stayAwake()
    #expect(wakeUps.wake() == nil)
    wakeUps.beginWaiting(spinning: false)
    wakeUps.endLoop()
    #expect(!wakeUps.hasLoop && wakeUps.wake() == nil)
  }

  @Test("in no interleaving of its steps is a wake-up lost", arguments: [1, 2, 3])
  func interleavings(wakers: Int) {
    var seen: Set<WakeModel> = []
    var open = [WakeModel(wakers: wakers)]
    while let model = open.popLast() {
      guard seen.insert(model).inserted else { continue }
      let next = model.next
      if next.isEmpty { #expect(model.isAtRest, "\(model)") }
      open += next
    }
    #expect(seen.count > 40 * wakers)
  }
}

/// A loop and threads that tell it something, each at one of its steps.
///
/// A step is what happens under the lock, or one access outside it.
private struct WakeModel: Hashable {
  enum LoopStep { case draining, taking, deciding, spinning, givingUp, sleeping }
  enum WakerStep { case telling, writing, done }

  var state = WakeState.awake
  var notices = 0
  var isPipeWritten = false
  var loop = LoopStep.draining
  var looks = 0
  /// How often a descriptor or a deadline may still end the loop's sleep.
  var otherEvents = 1
  var wakers: [WakerStep]

  init(wakers count: Int) {
    wakers = Array(repeating: .telling, count: count)
  }

  /// All has been told and heard, and the loop sleeps.
  var isAtRest: Bool {
    notices == 0 && loop == .sleeping && wakers.allSatisfy { $0 == .done }
  }

  /// What may happen next.
  var next: [Self] {
    loopSteps + wakers.indices.compactMap(afterStep)
  }

  private var loopSteps: [Self] {
    var copy = self
    switch loop {
    case .draining:
      (copy.isPipeWritten, copy.loop) = (false, .taking)
    case .taking:
      (copy.notices, copy.loop) = (0, .deciding)
    case .deciding:
      return [true, false].map { afterDeciding(spinning: $0) }
    case .spinning:
      copy.looks += 1
      copy.loop = state == .awake ? .draining : copy.looks < 2 ? .spinning : .givingUp
    case .givingUp:
      copy.loop = copy.state.fallAsleep() ? .sleeping : .draining
    case .sleeping:
      guard isPipeWritten || otherEvents > 0 else { return [] }
      if !isPipeWritten { copy.otherEvents -= 1 }
      copy.loop = .draining
    }
    return [copy]
  }

  private func afterDeciding(spinning: Bool) -> Self {
    var copy = self
    copy.looks = 0
    guard notices == 0 else {
      (copy.state, copy.loop) = (.awake, .draining)
      return copy
    }
    copy.state.beginWaiting(spinning: spinning)
    copy.loop = spinning ? .spinning : .sleeping
    return copy
  }

  private func afterStep(of waker: Int) -> Self? {
    var copy = self
    switch wakers[waker] {
    case .telling:
      copy.notices += 1
      copy.wakers[waker] = copy.state.wake() ? .writing : .done
    case .writing:
      (copy.isPipeWritten, copy.wakers[waker]) = (true, .done)
    case .done: return nil
    }
    return copy
  }
}

import OperationPool
import PoolModel
import Testing

@testable import PoolCommand

/// Contract: whether one more operation may start follows from the time and what was measured.
@Suite("The policy of starts")
struct StartPolicyTests {
  private typealias Decision = StartPolicy.Decision
  private let second = Int64.seconds(1)

  private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: .seconds(seconds)) }

  private func policy(delay: Double = 0, load: Double? = nil, memory: Int64? = nil) -> StartPolicy {
    StartPolicy(.init(delay: .seconds(delay), load: load, memory: memory))
  }

  @Test(
    "the first may start at once, the next when the delay has passed since the latest"
  )
  func delay() {
    var policy = policy(delay: 2)
    #expect(policy.decision(at: at(0), .init()) == .start)
    policy.noteStart(of: 1, at: at(5))
    #expect(policy.decision(at: at(5), .init()) == .hold(.delay, until: at(7)))
    // It has begun later than it was dispatched.
    policy.noteStart(of: 1, at: at(5.5))
    #expect(policy.decision(at: at(7), .init()) == .hold(.delay, until: at(7.5)))
    #expect(policy.decision(at: at(7.5), .init()) == .start)
  }

  @Test("after a pause only one may start, not as many as the pause had room for")
  func burst() {
    var policy = policy(delay: 1)
    policy.noteStart(of: 1, at: at(0))
    #expect(policy.decision(at: at(100), .init()) == .start)
    policy.noteStart(of: 2, at: at(100))
    #expect(policy.decision(at: at(100), .init()) == .hold(.delay, until: at(101)))
  }

  @Test("nothing starts at the load, or above it")
  func load() {
    let policy = policy(load: 2)
    #expect(policy.decision(at: at(0), .init(load: 1.99)) == .start)
    #expect(policy.decision(at: at(0), .init(load: 2)) == .hold(.load(2), until: at(1)))
  }

  @Test("where ends may halt the run, an operation executes until its end was judged")
  func judgedEnds() {
    var policy = StartPolicy(.init(judgesEnds: true))
    #expect(policy.decision(at: at(0), .init(width: 2)) == .start)
    policy.noteStart(of: 1, at: at(0))
    policy.noteStart(of: 1, at: at(1))
    #expect(policy.decision(at: at(1), .init(width: 2)) == .start)
    policy.noteStart(of: 2, at: at(1))
    #expect(policy.decision(at: at(2), .init(width: 2)) == .hold(.unjudged, until: at(3)))
    #expect(policy.decision(at: at(2), .init(width: 3)) == .start)
    policy.noteEnd(of: 2)
    policy.noteEnd(of: 7)
    #expect(policy.decision(at: at(2), .init(width: 2)) == .start)
  }

  @Test("an operation that comes back from a dead worker does not execute, and may start again")
  func returns() {
    var policy = StartPolicy(.init(judgesEnds: true))
    for operation in 1...2 { policy.noteStart(of: operation, at: at(0)) }
    policy.noteReturns { $0 == 3 }
    #expect(policy.decision(at: at(2), .init(width: 2)) == .hold(.unjudged, until: at(3)))
    policy.noteReturns { $0 == 2 }
    #expect(policy.decision(at: at(2), .init(width: 2)) == .start)
    policy.noteStart(of: 2, at: at(2))
    #expect(policy.decision(at: at(2), .init(width: 2)) == .hold(.unjudged, until: at(3)))
  }

  @Test("a start counts before the average does, until that has followed or it has ended")
  func latestStarts() {
    var policy = policy(load: 2)
    policy.noteStart(of: 1, at: at(0))
    policy.noteStart(of: 2, at: at(0))
    #expect(policy.decision(at: at(4), .init(load: 0)) == .hold(.load(2), until: at(5)))
    #expect(policy.decision(at: at(300), .init(load: 1.9)) == .start)
    #expect(policy.decision(at: at(300), .init(load: 2)) != .start)
    policy.noteEnd(of: 2)
    #expect(policy.decision(at: at(4), .init(load: 0.5)) == .start)
    #expect(policy.decision(at: at(4), .init(load: 1)) == .hold(.load(2), until: at(5)))
  }

  @Test("nothing starts while less memory is available than wanted")
  func memory() {
    let policy = policy(memory: 1_000)
    #expect(policy.decision(at: at(0), .init(memory: 1_000)) == .start)
    #expect(policy.decision(at: at(0), .init(memory: 999)) == .hold(.memory(999), until: at(1)))
  }

  @Test("what is not limited is not asked for")
  func unlimited() {
    #expect(policy().decision(at: at(0), .init(load: 1e9, memory: 0)) == .start)
  }

  @Test("a permit is given again only when the dispatch that used it is known")
  func ledger() {
    var ledger = PermitLedger()
    func starts(_ permits: Int) -> PoolEngine.Starts {
      PoolEngine.Starts(ready: 9, assigned: 0, permits: permits)
    }
    #expect(ledger.permits(starts(0), true, at: at(0)) == 1)
    // Not used yet; and taken back.
    #expect(ledger.permits(starts(1), true, at: at(1)) == 1)
    #expect(ledger.permits(starts(1), false, at: at(2)) == 0)
    #expect(ledger.permits(starts(0), true, at: at(3)) == 1)
    // Used, and the policy does not know of it.
    #expect(ledger.permits(starts(0), true, at: at(4)) == 0)
    ledger.noteDispatch()
    #expect(ledger.permits(starts(0), true, at: at(4)) == 1)
    // Used by a worker that was gone: it counts after a while.
    #expect(ledger.permits(starts(0), true, at: at(5)) == 0)
    #expect(ledger.permits(starts(0), true, at: at(5.05)) == 0)
    #expect(ledger.permits(starts(0), true, at: at(5.1)) == 1)
  }

  @Test("that nothing starts is said to everybody once, and with -v at each change")
  func told() {
    var teller = HoldMessages(.init(load: 2))
    let hold = Decision.hold(.load(2.345), until: at(1))
    let idle = PoolEngine.Starts(ready: 1, assigned: 0, permits: 0)
    let busy = PoolEngine.Starts(ready: 1, assigned: 1, permits: 0)
    #expect(teller.message(about: hold, .init(ready: 0, assigned: 0, permits: 0)) == nil)
    #expect(teller.message(about: hold, busy)?.isForAll == false)
    #expect(teller.message(about: hold, busy) == nil)
    let text = teller.message(about: hold, idle)
    #expect(text?.isForAll == true)
    #expect(text?.text == "nothing starts: the load is 2.35, and --load allows less than 2.00")
    #expect(teller.message(about: hold, idle) == nil)
    #expect(teller.message(about: .start, idle) == nil)
    #expect(teller.message(about: hold, idle)?.isForAll == false)
  }
}

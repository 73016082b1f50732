import PoolSystem
import Testing

@testable import PoolCommand

/// Contract: what comes before a run ends at the run's deadline, and never once the run has begun.
@Suite("Preparation of a run")
struct RunPreparationTests {
  @Test("at the deadline, the step that lasts is told; then the run does not begin")
  func late() {
    let told = Monitor<RunPreparation.Step?>(nil)
    let preparation = RunPreparation(.manifest, deadline: 1_000_000) { step in
      told.withLock { $0 = step }
      told.broadcast()
    }
    told.wait(while: { $0 == nil }, then: { _ in })
    #expect(told.withLock { $0 } == .manifest)
    #expect(!preparation.end())
  }

  @Test("a run that has begun is left alone, and the step is the last one that was entered")
  func inTime() {
    let told = Monitor<[RunPreparation.Step]>([])
    do {
      let preparation = RunPreparation(.manifest, deadline: 60_000_000_000) { step in
        told.withLock { $0.append(step) }
      }
      preparation.enter(.journal)
      #expect(preparation.step == .journal)
      #expect(preparation.end())
    }
    #expect(told.withLock { $0 }.isEmpty)
    #expect(RunPreparation(.inputs, deadline: nil).end())
  }

  @Test("its time is measured, for the deadline of the run")
  func elapsed() {
    let before = MonotonicClock.now
    let preparation = RunPreparation(.inputs, deadline: nil)
    let elapsed = preparation.elapsed
    #expect((0...MonotonicClock.now - before).contains(elapsed))
  }
}

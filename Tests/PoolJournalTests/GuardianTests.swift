import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolJournal

/// Contract: a journal is not opened while processes live that end what the run before has started;
/// people are told once, and no run waits for ever.
@Suite("Guardians of a journal")
struct JournalGuardianTests {
  private let second: Int64 = 1_000_000_000

  @Test("A short wait is silent, a longer one is explained once, and the longest is an error")
  func patience() {
    var guardians = JournalWaitPolicy()
    let living = JournalWaitPolicy.State(7, isStopped: false)
    #expect(guardians.next(living, after: 0) == .wait)
    #expect(guardians.next(living, after: second - 1) == .wait)
    let text = "process 7 ends what an earlier run has started"
    #expect(guardians.next(living, after: second) == .say("waiting, because \(text)"))
    #expect(guardians.next(living, after: 2 * second) == .wait)
    #expect(guardians.next(living, after: 10 * second - 1) == .wait)
    let error = JournalError(.inUse, "\(text); end it, and try again")
    #expect(guardians.next(living, after: 10 * second) == .giveUp(error))
  }

  @Test("A stopped process is named as such, and one of another container has no number")
  func names() {
    var guardians = JournalWaitPolicy()
    let stopped = JournalWaitPolicy.State(7, isStopped: true)
    #expect(
      guardians.next(stopped, after: second)
        == .say(
          "waiting, because process 7, which is stopped, ends what an earlier run has started"
        )
    )
    let strange = JournalWaitPolicy.State(-1, isStopped: false)
    let text = "a process ends what an earlier run has started; end it, and try again"
    #expect(guardians.next(strange, after: 10 * second) == .giveUp(JournalError(.inUse, text)))
  }
}

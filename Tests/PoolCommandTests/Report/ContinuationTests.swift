import PoolInputs
import PoolReports
import Testing

/// Contract: after a signal or the deadline, one line says how to continue, or what a journal would
/// have kept.
@Suite("How to continue a run")
struct ContinuationTests {
  private func line(
    after code: ExitCode?,
    succeeded: Int = 3,
    hasJournal: Bool = true,
    isResumed: Bool = false
  ) -> String? {
    Continuation(
      code: code,
      succeeded: succeeded,
      hasJournal: hasJournal,
      isResumed: isResumed
    ).line(journal: "j")
  }

  @Test("With a journal, the line says which command executes the rest", arguments: [0, 3])
  func journal(succeeded: Int) {
    let kept = "opool: j keeps what has ended: the same command "
    #expect(
      line(after: .interrupted, succeeded: succeeded) == kept + "with --resume executes the rest"
    )
    #expect(line(after: .deadline, isResumed: true) == kept + "again executes the rest")
  }

  @Test("Without a journal, it says what a journal would have spared, if anything")
  func noJournal() {
    let advice =
      "opool: nothing keeps what has ended: with --journal FILE, --resume would execute only the rest"
    #expect(line(after: .interrupted, hasJournal: false) == advice)
    #expect(line(after: .interrupted, succeeded: 0, hasJournal: false) == nil)
  }

  @Test("Only signals and the deadline leave something to continue", arguments: ExitCode.allCases)
  func codes(code: ExitCode) {
    let continued: [ExitCode] = [
      .interrupted, .terminated, .hungUp, .quit, .deadline, .drained,
    ]
    #expect((line(after: code) != nil) == continued.contains(code))
    #expect(line(after: nil) == nil)
  }
}

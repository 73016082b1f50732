import PoolModel
import PoolTestSupport
import Testing

/// Contract: a program that uses the library leaves no process behind when a person presses Ctrl-C,
/// whether it listens to that or not.
@Suite("Ctrl-C in a program of the library")
struct LibraryInterruptionTests {
  private func interrupt(_ scene: String) throws -> (run: OpoolRun, transcript: String) {
    let run = try Opool.onTerminal("exec test-coordinator \(scene)")
    #expect(run.terminal.wait { $0.transcript.contains("both execute") })
    try run.terminal.type("\u{3}")
    return (try run.wait(), run.terminal.transcript)
  }

  @Test("without a handler it ends by the signal, and its workers and their commands end with it")
  func unheard() throws {
    let (run, transcript) = try interrupt("interrupted")
    #expect(run.status == .signaled(2))
    #expect(!transcript.contains("cancelled"))
    run.expectNothingLeft()
  }

  /// The command sends itself SIGINT before, which it would ignore if that were inherited.
  @Test("with the guide's handler its operations are cancelled, and it goes on")
  func heard() throws {
    let (run, transcript) = try interrupt("listening")
    #expect(run.status == .exited(0))
    #expect(transcript.contains("cancelled\r\ncancelled\r\ninterrupted"))
    run.expectNothingLeft()
  }
}

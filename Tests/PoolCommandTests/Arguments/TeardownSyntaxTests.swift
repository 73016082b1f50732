import PoolCommand
import PoolModel
import Testing

@testable import PoolInputs

/// Contract: `--term-seq` reads what GNU parallel's does, with a request to stop before the
/// signals, and refuses what could leave an operation alive.
@Suite("Teardown sequence text")
struct TeardownSyntaxTests {
  @Test("Steps and graces alternate; the last grace may be left out")
  func teardowns() throws {
    #expect(try TeardownSyntax.parse("MESSAGE,2000,TERM,1000,KILL") == .standard)
    #expect(try TeardownSyntax.parse("message,2000,SIGTERM,1000,9,0") == .standard)
    #expect(try TeardownSyntax.parse("KILL") == .immediate)
    let steps: [PoolTeardownSequence.Step] = [
      .init(.signal(1), graceMilliseconds: 5), .init(.signal(9), graceMilliseconds: 25),
    ]
    #expect(try TeardownSyntax.parse("HUP,5,KILL,25").steps == steps)
    #expect(try TeardownSyntax.parse("HUP,5ms,KILL,0.025s").steps == steps)
  }

  @Test(
    "What is no teardown sequence is refused with the reason",
    arguments: [
      ("", "'' is neither MESSAGE nor a signal"),
      ("TERM", "its last step must be KILL"),
      ("KILL,5,TERM", "its last step must be KILL"),
      ("TERM,KILL", "'KILL' is no time up to a day, in milliseconds or with a unit"),
      ("TERM,-1,KILL", "'-1' is no time up to a day, in milliseconds or with a unit"),
      ("TERM,5,MESSAGE,5,KILL", "MESSAGE can only be its first step"),
      ("TREM,5,KILL", "'TREM' is neither MESSAGE nor a signal"),
      ("0,5,KILL", "'0' is neither MESSAGE nor a signal"),
    ]
  )
  func nonsense(_ text: String, _ reason: String) {
    let error = #expect(throws: TeardownSyntaxError.self) { try TeardownSyntax.parse(text) }
    #expect(error?.reason == reason)
  }
}

import PoolTestSupport
import Testing

/// The programs of `Scripts/Examples`, each as a user would start it.
@Suite("The examples")
struct ExampleTests {
  @Test("words are counted as wc does, in the order of the files; a missing file holds up no other")
  func wordCount() throws {
    try Opool.shell("example-word-count long missing empty")
      .file("long", "one two\n\n three\tfour")
      .file("empty", "")
      .run()
      .expect("2 4 20 long\n0 0 0 empty\n", exit: 1)
      .says("missing: ")
  }

  @Test("map and reduce: the same number in each run, and progress to the last part")
  func mapReduce() throws {
    try Opool.shell("example-map-reduce 200000").run()
      .expect("3.14512\n")
      .says("20 of 20\n")
  }

  @Test("each deed that would end the program is one failure, with its reason")
  func crashContainment() throws {
    let run = try Opool.shell("example-crash-containment").run().expect()
    let lines = run.stdout.split(separator: "\n").map {
      $0.replacing(/worker [0-9]+ \(pid [0-9]+\)/, with: "W")
    }
    let (crash, abort, rest) = (
      lines.first ?? "", lines.dropFirst().first ?? "", lines.dropFirst(2)
    )
    #expect(crash.hasPrefix("wrongIndex: W was ended by signal "))
    #expect(crash.hasSuffix("Fatal error: Index out of range"))
    #expect(abort.hasPrefix("abort: W ended itself by signal 6, which is abort"))
    let others = [
      "exit: W exited with code 7", "endlessLoop: it executed for longer than its timeout",
      "nothing: fine",
    ]
    #expect(rest.map { String($0) } == others)
  }

  @Test("commands with retries do in the pool what they did with Foundation alone")
  func migration() throws {
    let run = try Opool.shell("example-migration").run().expect(stderr: "")
    let lines = run.stdout.split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("done in ") })
    #expect(Set(lines).count == 4)
  }

  @Test("a service answers each request, within its time or with a reason, and ends with its input")
  func service() throws {
    let run = try Opool.shell("example-service").stdin("20\nno\n92\n21\n").run().expect()
    let answers = [
      "20 6765", "21 10946", "92 it executed for longer than its timeout", "no is no number",
    ]
    #expect(run.stdout.split(separator: "\n").map { String($0) }.sorted() == answers)
  }
}

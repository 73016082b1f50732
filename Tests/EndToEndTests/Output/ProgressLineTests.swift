import PoolModel
import PoolTestSupport
import Testing

/// What the progress line says of the time that is left.
@Suite("The progress line of a run")
struct ProgressLineTests {
  /// A manifest of operations that each wait for the one before.
  private func chain(_ count: Int, _ fields: String) -> String {
    (1...count).map { number in
      let after = number == 1 ? "" : #", "after": ["\#(number - 1)"]"#
      return #"{"id": "\#(number)", \#(fields)\#(after)}"#
    }.joined(separator: "\n")
  }

  private func shows(_ pattern: some RegexComponent, _ terminal: PseudoTerminal) -> Bool {
    terminal.wait { $0.transcript.contains(pattern) }
  }

  @Test("A chain is shown to take as long as all of it, however many could execute at once")
  func chain() throws {
    let opool = try Opool.shell("").file("chain", chain(12, #""shell": "sleep 0.15""#))
      .environment("TERM", "xterm")
    let run = try OpoolOnTerminal(opool, script: "exec opool run --progress=line -j8 chain")
    #expect(shows(/[1-9][0-9]?\/12, 1 executing, [0-9:]+, 0:0[1-9] left/, run.terminal))
    try run.wait().expect()
    #expect(!run.terminal.transcript.contains("0:00 left"), "\(run.terminal.transcript)")
  }

  @Test("What a manifest expects counts before anything was measured, and so do limits")
  func expected() throws {
    let lines = (1...3).map { number in
      #"{"shell": "read x < go\#(number)", "expected": 60, "limit": {"net": 1}}"#
    }
    let opool = try Opool.shell("").environment("TERM", "xterm")
      .file("work", lines.joined(separator: "\n"))
    for number in 1...3 { try RunningOpool.makePipe(opool.folder.path(of: "go\(number)")) }
    let run = try OpoolOnTerminal(opool, script: "exec opool run --progress=line -j8 work")
    #expect(shows(/0\/3, 1 executing, [0-9:]+, (3:00|2:[0-9]{2}) left/, run.terminal))
    for number in 1...3 { try run.release("go\(number)") }
    try run.wait().expect()
  }

  @Test("What one program takes says nothing of another")
  func programs() throws {
    let opool = try Opool.shell("").environment("TERM", "xterm")
      .file("work", #"{"run": ["sleep", "0.6"]}"# + "\n" + #"{"shell": "read x < go"}"#)
    try RunningOpool.makePipe(opool.folder.path(of: "go"))
    let run = try OpoolOnTerminal(opool, script: "exec opool run --progress=line -j1 work")
    #expect(shows(/1\/2, 1 executing/, run.terminal))
    try run.release("go")
    try run.wait().expect()
    #expect(!run.terminal.transcript.contains("left"), "\(run.terminal.transcript)")
  }

  /// Two of the six take 0.6 s in an earlier run.
  @Test("What an earlier run has done does not count, only how long it took")
  func resumed() throws {
    let map = "opool map --journal j '[ {} -le 2 ] && sleep 0.6 || read x < go{}' :::"
    let run = try Opool.onTerminal(
      "\(map) 1 2 2>first; opool map --resume --progress=line -j1 \(map.dropFirst(10)) 1 2 3 4 5 6",
      pipes: (3...6).map { "go\($0)" }
    )
    #expect(shows(/2\/6, 1 executing, [0-9:]+, 0:0[1-9] left/, run.terminal))
    for input in 3...6 { try run.release("go\(input)") }
    try run.wait().expect()
    #expect(!run.terminal.transcript.contains("0:00 left"), "\(run.terminal.transcript)")
  }

  @Test("Nothing is said of what is left where only operations of an earlier run have ended")
  func unknown() throws {
    let map = "opool map --journal j '[ {} -le 20 ] || read x < go{}' :::"
    let done = (1...20).map(String.init).joined(separator: " ")
    let run = try Opool.onTerminal(
      "\(map) \(done) 2>first; opool map --resume --progress=line -j1 \(map.dropFirst(10)) \(done) 21 22",
      pipes: ["go21", "go22"]
    )
    #expect(shows(/20\/22, 1 executing/, run.terminal))
    #expect(!run.terminal.transcript.contains("left"), "\(run.terminal.transcript)")
    for input in 21...22 { try run.release("go\(input)") }
    try run.wait().expect()
  }

  @Test("An input that has not ended is marked")
  func open() throws {
    let run = try Opool.onTerminal(
      "{ echo a; read x < go; echo b; } | opool map --progress=line -j1 '[ {} = a ] || read x < end; echo {}'",
      pipes: ["go", "end"]
    )
    #expect(shows(/1\/1\+, 0 executing/, run.terminal))
    try run.release("go")
    #expect(shows(/1\/2, 1 executing/, run.terminal))
    try run.release("end")
    try run.wait().expect()
  }

  @Test("What waits to be tried again is shown to take that long at least")
  func delayed() throws {
    let run = try Opool.onTerminal(
      "exec opool map --progress=line --retries 1 --retry-delay 600 false ::: a"
    )
    #expect(
      shows(
        /0\/1, 0 executing, 1 to retry in 1[0-9]:[0-9]{2}, [0-9:]+, [0-9]+:[0-9]{2}\+ left/,
        run.terminal
      )
    )
    try run.terminal.type("\u{3}")
    try run.wait().expect(exit: 130)
  }

  /// Each is drawn after its output, if something is left to happen then.
  @Test("Nothing is drawn when everything has ended", arguments: 1...5)
  func over(count: Int) throws {
    let inputs = (1...count).map(String.init).joined(separator: " ")
    let run = try Opool.onTerminal("exec opool map -j1 echo ::: \(inputs)")
    try run.wait().expect()
    #expect(!run.terminal.transcript.contains("\(count)/\(count)"), "\(run.terminal.transcript)")
  }
}

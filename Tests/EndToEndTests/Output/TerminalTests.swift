import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// What a run does to the terminal that it was started on.
@Suite("Terminals")
struct TerminalTests {
  /// The first line of a block while the second operation of two executes.
  private static var secondExecutes: Regex<Substring> { /^1\/2 .* 1 of 1 executing/ }

  /// The second operation begins when the first was printed, and ends when the line was seen.
  @Test("Output without a line feed stays, and goes on as if there were no progress line")
  func partialLines() throws {
    let run = try Opool.onTerminal(
      "opool map -j1 '[ {} = a ] || read x < go; printf %s {}' ::: a b",
      pipes: ["go"]
    )
    #expect(run.terminal.wait { $0.screen.lines.contains { $0.contains(Self.secondExecutes) } })
    #expect(run.lines.first == "a" && run.lines.count == 2, "\(run.lines)")
    try run.release("go")
    try run.wait().expect()
    #expect(run.lines == ["ab", "opool: 2 succeeded in T"])
  }

  @Test("What goes into a file beside the terminal changes nothing on the terminal")
  func fileBeside() throws {
    let run = try Opool.onTerminal(
      "opool map -j1 '[ {} = a ] || read x < go; printf %s {}; printf \"%s!\" {} >&2' ::: a b > out",
      pipes: ["go"]
    )
    #expect(run.terminal.wait { $0.screen.lines.contains { $0.contains(Self.secondExecutes) } })
    #expect(run.lines.first == "a!")
    try run.release("go")
    try run.wait().expect()
    #expect(run.lines == ["a!b!", "opool: 2 succeeded in T"])
    #expect(run.folder.text(of: "out") == "ab")
  }

  /// The system does not say that both are the same terminal.
  @Test("What goes to the terminal by another name is written without the line, which comes back")
  func otherName() throws {
    let run = try Opool.onTerminal(
      "opool map -j1 '[ {} = a ] || read x < go; echo {}' ::: a b > /dev/tty",
      pipes: ["go"]
    )
    #expect(run.terminal.wait { $0.screen.lines.contains { $0.contains(Self.secondExecutes) } })
    #expect(run.lines.first == "a" && run.lines.count == 2, "\(run.lines)")
    try run.release("go")
    try run.wait().expect()
    #expect(run.lines == ["a", "b", "opool: 2 succeeded in T"])
  }

  /// The failure is seen while the other operation waits.
  @Test("A failure is told above the line, and stays there")
  func failure() throws {
    let run = try Opool.onTerminal(
      "opool map -j2 '[ {} = a ] && exit 3; read x < go; echo {}' ::: a b",
      pipes: ["go"]
    )
    #expect(
      run.terminal.wait { terminal in
        let lines = terminal.screen.lines
        return lines.first?.hasPrefix("opool: 1 (a): failed: exit code 3: ") == true
          && lines.contains { $0.contains(/^1\/2 .* 1 failed  .*1 of 2 executing/) }
          && lines.contains("  1 (a) failed: exit code 3")
      }
    )
    try run.release("go")
    try run.wait().expect(exit: 1)
    #expect(run.lines.suffix(2) == ["b", "opool: 1 succeeded, 1 failed in T"])
  }

  /// Each of these draws at least once where it may: after the first output.
  @Test(
    "The progress line is drawn only where it disturbs nothing",
    arguments: [
      ("", "xterm", true), ("", "dumb", false), ("", "", false), ("", nil, false),
      ("-q", "xterm", false), ("--no-progress", "xterm", false), ("-q --progress", "xterm", true),
      ("--progress=none", "xterm", false),
      ("| cat", "xterm", false), ("--progress | cat", "xterm", true), ("> out", "xterm", true),
      ("2>&1 | cat", "xterm", false), ("--progress", "dumb", false),
    ]
  )
  func places(_ words: String, _ type: String?, _ isDrawn: Bool) throws {
    let options = words.prefix { $0 != "|" && $0 != ">" && $0 != "2" }
    let run = try Opool.onTerminal(
      "opool map -j1 \(options) '[ {} = a ] || read x < go; echo {}' ::: a b "
        + words.dropFirst(options.count),
      pipes: ["go"],
      terminal: type
    )
    let proof = isDrawn ? "1 of 1 executing" : "a"
    #expect(run.terminal.wait { $0.transcript.contains(proof) })
    try run.release("go")
    try run.wait().expect()
    #expect(run.terminal.transcript.contains("executing") == isDrawn, "\(run.terminal.transcript)")
    #expect(run.terminal.transcript.contains("\u{1B}") == isDrawn)
    // What another program writes there comes when it wants.
    if !words.contains("|") { #expect(!run.lines.contains { $0.contains("executing") }) }
  }

  @Test(
    "Commands whose output goes to the terminal only are told to use colours, unless the user is not",
    arguments: [
      ("opool map", "1"), ("NO_COLOR=1 opool map", ""), ("NO_COLOR= opool map", "1"),
      ("opool map --color=never", ""), ("NO_COLOR=1 opool map --color", "1"),
      ("CLICOLOR_FORCE=0 opool map", "0"), ("opool map --results r", ""), ("opool map -u", ""),
    ]
  )
  func colors(_ command: String, _ value: String) throws {
    let run = try Opool.onTerminal(
      "unset NO_COLOR; \(command) 'echo {}:$CLICOLOR_FORCE.' ::: a; exit 0"
    )
    try run.wait().expect()
    #expect(run.lines.first == "a:\(value).")
  }

  @Test("Commands whose output goes elsewhere are told nothing of colours")
  func plain() throws {
    let run = try Opool.onTerminal("opool map 'echo {}:$CLICOLOR_FORCE.' ::: a | cat")
    try run.wait().expect()
    #expect(run.lines.first == "a:.")
  }

  @Test("A block shows what an operation writes while it executes")
  func lastLine() throws {
    let run = try Opool.onTerminal(
      "opool map -j1 'echo working on it; read x < go; echo {}' ::: a",
      pipes: ["go"]
    )
    let row = /^ {2}1 \(a\) +0:0[0-9] +working on it$/
    #expect(run.terminal.wait { $0.screen.lines.contains { $0.contains(row) } })
    try run.release("go")
    try run.wait().expect()
    #expect(run.lines == ["working on it", "a", "opool: 1 succeeded in T"])
  }

  @Test("Stopped by Ctrl-Z, a run takes its progress line along; in the foreground it comes back")
  func stopped() throws {
    let run = try Opool.onTerminal(
      "set -m; opool map 'echo up > up; read x < go; echo {}' ::: a; echo 'stop''ped'; read y; fg; echo over:$?",
      pipes: ["up", "go"]
    )
    #expect(try run.read("up") == "up\n")
    #expect(run.terminal.wait { $0.transcript.contains(" executing") })
    try run.terminal.type("\u{1A}")
    #expect(run.terminal.wait { $0.transcript.contains("stopped\r\n") })
    #expect(!run.lines.contains { $0.contains(" executing") }, "\(run.lines)")
    let drawnCount = run.drawnCount
    try run.terminal.type("\n")
    #expect(run.terminal.wait { _ in run.drawnCount > drawnCount })
    try run.release("go")
    try run.wait().expect()
    #expect(run.lines.suffix(3) == ["a", "opool: 1 succeeded in T", "over:0"])
  }

  /// It is asked twice what it does, so that it had every occasion to draw between the two; for the
  /// first time when it has said that it knows of the beginning.
  @Test("In the background no progress line is drawn; in the foreground it is")
  func background() throws {
    let run = try Opool.onTerminal(
      """
      set -m; opool map -v 'read x < go; echo {}' ::: a & p=$!
      read y; kill -USR1 $p; read y; kill -USR1 $p; read y; fg
      """,
      pipes: ["go"]
    )
    #expect(run.terminal.wait { $0.transcript.contains("1: executing on") })
    let status = /executing on worker . \(pid [0-9]+\) for/
    for count in 1...2 {
      try run.terminal.type("\n")
      #expect(
        run.terminal.wait { $0.transcript.matches(of: status).count == count }
      )
    }
    #expect(run.drawnCount == 0, "\(run.terminal.transcript)")
    try run.terminal.type("\n")
    #expect(run.terminal.wait { _ in run.drawnCount > 0 })
    try run.release("go")
    try run.wait().expect()
    #expect(run.lines.contains("a") && run.lines.last == "opool: 1 succeeded in T")
  }

  /// The command would be asked by no step of the teardown sequence before the test's patience
  /// ends.
  @Test("The first Ctrl-\\ ends a run at once, and leaves nothing on the screen or elsewhere")
  func quit() throws {
    let run = try Opool.onTerminal(
      "exec opool map --term-seq TERM,86400000,KILL "
        + "'trap \"\" TERM QUIT HUP; echo up > up; while :; do sleep 1000; done; : {}' ::: a",
      pipes: ["up"]
    )
    #expect(try run.read("up") == "up\n")
    #expect(run.terminal.wait { _ in run.drawnCount > 0 })
    try run.terminal.type("\u{1C}")
    try run.wait().expect(exit: 131)
    #expect(run.lines == ["opool: 0 succeeded, 1 cancelled in T"])
  }
}

/// What a run does when the terminal that it was started on goes away.
@Suite("Hang-ups")
struct HangUpTests {
  /// One at a time: the first waits for permission to end.
  private static func map(_ results: String, _ inputs: String) -> String {
    "opool map --results \(results) -j1 --journal j '[ {} != a ] || { echo up > up; read x < go; }; "
      + "echo out {}; echo err {} >&2; echo {} >> done' ::: a \(inputs)"
  }

  /// Closes the terminal while the first operation executes, waits for proof that the signal was
  /// heard, and then lets it end.
  ///
  /// The proof is a line of results for an operation that waits: it is cancelled when the signal
  /// is.
  private func hangUp(
    _ script: String,
    proof pipe: String
  ) throws -> (OpoolOnTerminal, OpoolRun, text: String) {
    let run = try Opool.onTerminal(script, pipes: ["up", "go", pipe])
    let reader = try run.open(pipe)
    defer { Descriptors.close(reader) }
    #expect(try run.read("up") == "up\n")
    run.terminal.hangUp()
    let start = try run.read(reader) { $0.contains("\"outcome\":\"cancelled\"") }
    try run.release("go")
    let rest = try run.read(reader) { _ in false }
    return (run, try run.wait(), start + rest)
  }

  private func outcomes(_ text: String) throws -> [String: String] {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("{") }
    let records = try lines.map {
      try JSONDecoder().decode(ResultRecord.self, from: Data($0.utf8))
    }
    return Dictionary(records.map { ($0.id, $0.outcome) }) { first, _ in first }
  }

  /// There are so many others that their results fill any buffer.
  @Test("When its terminal is closed, what executes is finished, recorded and nothing else begins")
  func closed() throws {
    let others = (1...400).map(String.init).joined(separator: " ")
    let script = "exec " + Self.map("results", others)
    let (run, result, text) = try hangUp(script, proof: "results")
    result.expect(exit: 129)
    let outcomes = try outcomes(text)
    #expect(outcomes["1"] == "succeeded" && outcomes.count == 401)
    #expect(outcomes.values.count { $0 == "cancelled" } == 400)
    #expect(run.folder.text(of: "done") == "a\n")
    let journal = try Opool("journal", "export", run.folder.path(of: "j")).run()
    #expect(journal.stdout.matches(of: /"ending":"succeeded"/).count == 1)
  }

  @Test("Where only the error stream was on the closed terminal, outputs are printed all the same")
  func fileBeside() throws {
    let script = "exec \(Self.map("-", "b")) > out"
    let (run, result, text) = try hangUp(script, proof: "out")
    result.expect(exit: 129)
    #expect(text.split(separator: "\n").filter { !$0.hasPrefix("{") } == ["out a"])
    #expect(try outcomes(text) == ["1": "succeeded", "2": "cancelled"])
    #expect(run.folder.text(of: "done") == "a\n")
  }

  /// No signal tells it then: it notices when it writes there.
  @Test("A closed terminal that is not its own lets what executes be finished, too")
  func foreign() throws {
    let terminal = try PseudoTerminal()
    let command = "[ {} = b ] || { echo up > up; read x < go; echo {}; }"
    let opool = try Opool("map", "-j1", "--results", "results", command, ":::", "a", "b")
      .stdout(to: terminal.path)
    for pipe in ["up", "go"] { try RunningOpool.makePipe(opool.folder.path(of: pipe)) }
    let running = try opool.start()
    #expect(try running.read(pipe: "up") == "up\n")
    terminal.hangUp()
    try OpoolOnTerminal.release(running.folder.path(of: "go"))
    let run = try running.wait()
    #expect(run.status == .exited(129))
    #expect(try run.resultsByID()["1"]?.outcome == "succeeded")
  }

  /// The second operation needs no permission to end.
  @Test("Where hang-ups are ignored, a run goes on, and its exit code says that outputs were lost")
  func ignored() throws {
    let run = try Opool.onTerminal(
      "trap '' HUP; exec " + Self.map("results", "b"),
      pipes: ["up", "go"]
    )
    #expect(try run.read("up") == "up\n")
    run.terminal.hangUp()
    try run.release("go")
    let result = try run.wait()
    result.expect(exit: 5)
    #expect(try result.resultsByID().mapValues(\.outcome) == ["1": "succeeded", "2": "succeeded"])
    #expect(result.unprintedCount() == 2)
    #expect(run.folder.text(of: "done") == "a\nb\n")
  }
}

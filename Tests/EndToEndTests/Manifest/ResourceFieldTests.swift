import PoolTestSupport
import Testing

/// The fields of a manifest that limit which operations execute at the same time.
@Suite("Fields that hold back")
struct ResourceFieldTests {
  private func run(_ lines: [String], _ options: String...) throws -> OpoolRun {
    let command = try Opool(["run", "--results", "results"] + options)
      .stdin(lines.joined(separator: "\n"))
    for pair in 0..<4 { try RunningOpool.makePipe(command.folder.path(of: "p\(pair)")) }
    return try command.run()
  }

  /// Up to four pairs that can only end together, each through a pipe of its own.
  private func pairs(_ numbers: Range<Int>, _ field: String) -> [String] {
    numbers.flatMap { pair in
      [
        #"{"shell": "echo \#(pair) > p\#(pair)", \#(field)}"#,
        #"{"shell": "cat p\#(pair)", \#(field)}"#,
      ]
    }
  }

  /// Each makes a folder of the category's name, which a second one could not.
  @Test("Operations that share a category never execute at once")
  func exclusive() throws {
    let sets = [["a"], ["a", "b"], ["b", "c"], ["c", "a"], ["a", "b", "c"]]
    let lines = (0..<40).map { number in
      let set = sets[number % sets.count]
      let names = set.map { "\"\($0)\"" }.joined(separator: ", ")
      let field = set.count == 1 ? names : "[\(names)]"
      let folders = set.joined(separator: " ")
      return #"{"shell": "mkdir \#(folders) && ls / > list\#(number) && rmdir \#(folders)", "#
        + #""exclusive": \#(field)}"#
    }
    let run = try run(lines, "-j4").expect("", stderr: "opool: 40 succeeded in T\n")
    for name in ["a", "b", "c"] {
      let users = try run.results().filter { record in
        Int(record.id).map { sets[($0 - 1) % sets.count].contains(name) } ?? false
      }
      #expect(Executions(users).width == 1)
    }
  }

  /// Two at once, or none would ever end; and no third.
  ///
  /// Those whose start and end a busy coordinator hears together count as none at once.
  @Test("No more operations execute at once than their limit says, and no fewer")
  func limit() throws {
    let run = try run(pairs(0..<4, #""limit": {"net": 2}"#), "-j4").expect()
    #expect(Executions(try run.results()).width <= 2)
  }

  /// The last one needs more than there is, and gets all there is.
  @Test("An operation takes as many places as it has slots")
  func slots() throws {
    let wide = [#"{"id": "w2", "run": ["true"], "slots": 2}"#]
    let all = [#"{"id": "w9", "run": ["true"], "slots": 9}"#]
    let run = try run(
      pairs(0..<1, #""slots": 1"#) + wide + all + pairs(1..<3, #""slots": 1"#),
      "-j2"
    )
    run.expect()
    let results = try run.resultsByID()
    for id in ["w2", "w9"] {
      let wide = try #require(results[id])
      let narrow = results.values.filter { $0.id != id }
      // Two that took no time, as a coordinator that is late sees them, are none at once.
      #expect(narrow.allSatisfy { Executions([wide, $0]).width <= 1 })
    }
    #expect(Executions(results.values).width <= 2)
  }

  /// Two of the four slots for each: with those of `-j` alone, no pair would ever end.
  @Test("With --worker, the slots of all workers count together", .needsPython)
  func slotsOfAllWorkers() throws {
    let kinds = [#"{"kind": "reverse", "payload": "ab"}"#]
    let run = try run(
      pairs(0..<2, #""slots": 2"#) + kinds,
      "-j2",
      "--worker",
      "2:python3 \"$PYTHON_WORKER\""
    )
    run.expect()
    #expect(Executions(try run.results().filter { $0.id != "5" }).width <= 2)
  }

  /// However those before it ended, and however it ends itself.
  @Test("A barrier waits for all lines before it, and holds back all after it")
  func barrier() throws {
    var lines = (0..<6).map { #"{"id": "a\#($0)", "shell": "exit $((\#($0) % 2))"}"# }
    lines.append(#"{"id": "wall", "run": ["false"], "barrier": true, "priority": "veryHigh"}"#)
    lines += (0..<6).map { #"{"id": "b\#($0)", "run": ["true"], "priority": "high"}"# }
    lines.append(#"{"id": "end", "run": ["true"], "barrier": true}"#)
    let run = try run(lines, "-j4", "-q").expect("", exit: 1)
    let results = try run.results()
    #expect(results.count == 14 && results.allSatisfy { $0.attempt == 1 })
    let parts = ["a", "wall", "b", "end"].map { id in
      Executions(results.filter { $0.id.hasPrefix(id) })
    }
    #expect(parts.map(\.count) == [6, 1, 6, 1])
    #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.precede($1) })
  }

  /// The first line can only end beside the last.
  @Test("A barrier that is skipped holds back nothing any more")
  func skippedBarrier() throws {
    let lines = [
      #"{"id": "early", "shell": "cat p0"}"#,
      #"{"id": "bad", "run": ["false"]}"#,
      #"{"id": "wall", "run": ["true"], "barrier": true, "after": ["bad"]}"#,
      #"{"id": "late", "shell": "echo met > p0"}"#,
    ]
    let run = try run(lines, "-j2", "-q").expect("met\n", exit: 1)
    #expect(try run.resultsByID()["wall"]?.ending == "skipped dependency:bad")
  }
}

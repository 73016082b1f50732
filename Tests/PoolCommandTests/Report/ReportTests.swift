import OperationPool
import PoolEvents
import PoolModel
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolContents
@testable import PoolInputs
@testable import PoolReports
@testable import PoolText

/// Contract: a line of results has every field, always, in the same order.
@Suite("Results")
struct ResultLineTests {
  private func text(_ line: ResultLine) -> String {
    var writer = JSONWriter()
    line.append(to: &writer)
    line.append(to: &writer)
    let lines = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == lines.last)
    return String(lines.first ?? "")
  }

  @Test("Where there is no value there is null")
  func nulls() {
    let record = EndRecord(number: 0, ending: .skipped, cause: .dependency, root: .init(1, .failed))
    var line = ResultLine(record, OperationDescription(id: bytes("a")))
    line.root = bytes("b")
    #expect(
      text(line)
        == #"{"id":"a","key":null,"run":null,"name":"a","group":null,"members":null,"input":null,"inputs":null,"command":null,"outcome":"skipped","#
        + #""cause":"dependency:b","exit":null,"signal":null,"attempt":0,"worker":null,"queued":null,"started":null,"#
        + #""finished":null,"startedAt":null,"finishedAt":null,"usage":null,"stepsTaken":null,"stdout":"","stdoutBytes":0,"stderr":"","#
        + #""stderrBytes":0,"result":null,"errorType":null,"errorCode":null,"message":null,"resumed":false}"#
    )
  }

  @Test("A group has a number of members, and is in no group")
  func group() {
    let record = EndRecord(number: 7, memberCount: 3, ending: .succeeded)
    #expect(
      text(ResultLine(record, OperationDescription(id: bytes("g")))).hasPrefix(
        #"{"id":"g","key":null,"run":null,"name":"g","group":null,"members":3,"input":null,"inputs":null,"#
      )
    )
  }

  @Test("A result that its worker wrote in several lines is in one, and strings stay as they are")
  func lines() {
    let record = EndRecord(number: 0, ending: .succeeded)
    var line = ResultLine(record, OperationDescription(id: bytes("a")))
    line.result = ResultContent(bytes("[\n  1,\r\n  \"a\\nb\"\n]"))
    #expect(text(line).contains(#""result":[   1,    "a\nb" ],"errorType""#))
  }

  @Test("Times are seconds, outputs byte texts, and results stay as they are")
  func values() {
    let record = EndRecord(
      number: 0,
      ending: .failed,
      cause: .exit,
      exit: 3,
      attempt: 2,
      worker: WorkerID(rawValue: 4),
      queued: .zero,
      started: Instant(nanoseconds: 1_500_000_000),
      finished: Instant(nanoseconds: 61_000_001_999),
      usage: PoolResourceUsage(userMicroseconds: 1, systemMicroseconds: 2, peakMemoryBytes: 3),
      stepsTaken: [
        PoolTeardownStepTaken(action: .message, at: .seconds(2)),
        PoolTeardownStepTaken(action: .signal(15), at: .microseconds(4_000_001)),
      ],
      errorType: "Sizes.Error",
      errorCode: -7,
      message: "exit code 3"
    )
    let description = OperationDescription(
      id: bytes("a\"b"),
      name: bytes("ü"),
      group: bytes("g"),
      input: bytes("in"),
      inputs: [bytes("i"), bytes("n")],
      command: [0xFF]
    )
    var line = ResultLine(record, description)
    (line.key, line.run, line.runStart) = (bytes("0f"), bytes("1e"), 1_000_000_000_000)
    (line.standardOutput, line.standardError) = (OutputExcerpt(bytes("x\n")), OutputExcerpt([0xFF]))
    line.result = ResultContent(bytes(#"{"n": 1}"#))
    #expect(
      text(line)
        == #"{"id":"a\"b","key":"0f","run":"1e","name":"ü","group":"g","members":null,"input":"in","inputs":["i","n"],"command":{"base64":"/w=="},"outcome":"failed","#
        + #""cause":"exit","exit":3,"signal":null,"#
        + #""attempt":2,"worker":4,"queued":0.000000,"started":1.500000,"finished":61.000001,"#
        + #""startedAt":1001.500000,"finishedAt":1061.000001,"#
        + #""usage":{"user":1,"system":2,"peak":3},"#
        + #""stepsTaken":[{"step":"message","at":2.000000},{"step":"SIGTERM","at":4.000001}],"#
        + #""stdout":"x\n","stdoutBytes":2,"#
        + #""stderr":{"base64":"/w=="},"stderrBytes":1,"result":{"n": 1},"#
        + #""errorType":"Sizes.Error","errorCode":-7,"message":"exit code 3","#
        + #""resumed":false}"#
    )
  }

  @Test("A long output is cut, but never inside a character", arguments: 0...4)
  func excerpts(offset: Int) throws {
    let text = String(repeating: "x", count: offset) + String(repeating: "ü€😀", count: 8_000)
    let excerpt = OutputExcerpt(bytes(text).prefix(OutputExcerpt.limit), byteCount: 72_000)
    #expect(excerpt.byteCount == 72_000)
    let start = try #require(excerpt.bytes)
    #expect(String(validating: start, as: UTF8.self) != nil)
    #expect(start.count > OutputExcerpt.limit - 4)
    #expect(bytes(text).starts(with: start))
  }

  @Test("Bytes that are no text are cut at the limit, and a whole output is not touched")
  func binaryExcerpts() {
    let binary = [UInt8](repeating: 0x80, count: OutputExcerpt.limit + 1)
    #expect(OutputExcerpt(binary).bytes?.count == OutputExcerpt.limit)
    #expect(OutputExcerpt(binary).byteCount == Int64(binary.count))
    #expect(OutputExcerpt([0x61, 0xC3]).bytes == [0x61, 0xC3])
  }
}

/// Contract: the end of a run is told in counts, failures with their places, and no more than
/// twenty of these.
@Suite("Summaries")
struct SummaryTests {
  /// Adds operations, numbered in order, with their ids, and lines of the manifest if they have
  /// one.
  private func add(
    _ id: String,
    _ ending: PoolEnding,
    line: Int? = nil,
    cause: PoolFailureCause? = nil,
    root: Int? = nil,
    exit: Int32? = nil,
    message: String? = nil,
    input: [UInt8]? = nil,
    command: [UInt8]? = nil,
    to summary: inout Summary
  ) {
    let record = EndRecord(
      number: Int(id) ?? 100,
      ending: ending,
      cause: cause,
      root: root.map { .init($0, .failed) },
      exit: exit,
      message: message
    )
    summary.add(record) {
      OperationDescription(id: bytes(id), line: line, input: input, command: command)
    }
  }

  @Test("Nothing that ended otherwise is mentioned when all succeeded")
  func success() {
    var summary = Summary()
    for _ in 0..<12 { summary.add(.succeeded) }
    #expect(
      summary.lines(manifest: nil, elapsed: 3_249_000_000) == ["opool: 12 succeeded in 3.2 s"]
    )
    #expect(summary.lines(manifest: nil, elapsed: 0, verbosity: .quiet).isEmpty)
    #expect(summary.exitCode == .success)
    #expect(Summary().lines(manifest: nil, elapsed: 0) == ["opool: 0 succeeded in 0.0 s"])
  }

  @Test("Failures have a line each, with their place and reason")
  func failures() {
    var summary = Summary()
    add("a", .succeeded, line: 1, to: &summary)
    add("b\u{1B}", .failed, line: 2, cause: .exit, exit: 3, to: &summary)
    add("c", .timedOut, line: 4, message: "2 s were not enough", to: &summary)
    add("d", .skipped, line: 5, cause: .dependency, root: 7, to: &summary)
    add("e", .lost, line: 6, cause: .workerDied, to: &summary)
    add("f", .cancelled, line: 7, to: &summary)
    let failures = [
      #"m.jsonl:2: b\x1B: failed: exit code 3"#, "m.jsonl:4: c: timed out: 2 s were not enough",
      "m.jsonl:6: e: lost: workerDied",
    ]
    let total =
      "opool: 1 succeeded, 1 failed, 1 cancelled, 1 timed out, 1 lost, 1 skipped in 1:40"
    let file = bytes("m.jsonl")
    #expect(summary.lines(manifest: file, elapsed: 100_000_000_000) == failures + [total])
    #expect(summary.lines(manifest: file, elapsed: 0, verbosity: .quiet) == failures)
    #expect(
      summary.lines(manifest: nil, elapsed: 0).first == #"opool: b\x1B: failed: exit code 3"#
    )
    #expect(summary.failureCount == 3)
    #expect(summary.exitCode == .operationsFailed)
  }

  @Test(
    "A failure names its input and command, cut where they are long, and what it kept from running"
  )
  func names() {
    var summary = Summary()
    for root in [7, 8] {
      add("s", .skipped, cause: .dependency, root: root, to: &summary)
      guard root == 7 else { continue }
      add(
        "7",
        .failed,
        cause: .exit,
        exit: 3,
        input: bytes("a\u{1B}\n") + Array(repeating: 0x78, count: 1_000),
        command: bytes("cut ") + Array(repeating: 0xFF, count: 100_000),
        to: &summary
      )
    }
    for _ in 0..<2 { add("t", .skipped, cause: .dependency, root: 7, to: &summary) }
    let line = summary.lines(manifest: nil, elapsed: 0).first ?? ""
    #expect(line.hasPrefix(#"opool: 7 (a\x1B\nxxx"#))
    #expect(line.contains(#"…): failed: exit code 3: cut \xFF\xFF"#))
    #expect(line.hasSuffix("…; 2 skipped because of it"))
    #expect(DisplayWidth.of(line) < 250)
  }

  @Test("What was skipped because all went well was not needed, and is no failure")
  func unneeded() {
    for (ending, code) in [(.succeeded, .success), (.failed, .operationsFailed)]
      as [(PoolEnding, ExitCode)]
    {
      var summary = Summary()
      summary.add(.succeeded)
      let skipped = EndRecord(
        number: 1,
        ending: .skipped,
        cause: .dependency,
        root: .init(0, ending)
      )
      summary.add(skipped) { OperationDescription(id: bytes("b")) }
      #expect(summary.exitCode == code)
    }
  }

  @Test("Anything but success makes the exit code 1", arguments: PoolEnding.allCases)
  func exitCodes(ending: PoolEnding) {
    var summary = Summary()
    summary.add(.succeeded)
    summary.add(ending)
    #expect(summary.exitCode.rawValue == (ending == .succeeded ? 0 : 1))
  }

  /// The first is told, and after it twenty others end; then one more does.
  @Test("A failure that was told is listed again only after many others, or for what followed")
  func told() {
    func isTold(_ summary: inout Summary, _ number: Int, isResumed: Bool = false) -> String? {
      let record = EndRecord(
        number: number,
        ending: .failed,
        cause: .exit,
        exit: 3,
        isResumed: isResumed
      )
      let failure = summary.add(
        record,
        telling: { _ in .line },
        described: {
          OperationDescription(id: bytes("\(number)"), line: 7, command: bytes("false"))
        }
      )
      return failure?.text(manifest: bytes("m"))
    }
    var summary = Summary()
    #expect(isTold(&summary, 1) == "m:7: 1: failed: exit code 3: false")
    for _ in 0..<20 { summary.add(.succeeded) }
    #expect(
      summary.lines(manifest: bytes("m"), elapsed: 0)
        == ["opool: 20 succeeded, 1 failed in 0.0 s"]
    )
    add("s", .skipped, cause: .dependency, root: 1, to: &summary)
    #expect(
      summary.lines(manifest: bytes("m"), elapsed: 0).first
        == "m:7: 1: failed: exit code 3: false; 1 skipped because of it"
    )

    var late = Summary()
    #expect(isTold(&late, 1) != nil)
    add("s", .skipped, cause: .dependency, root: 1, to: &late)
    #expect(isTold(&late, 2, isResumed: true) == nil)
    for number in 3..<21 { #expect(isTold(&late, number) != nil) }
    #expect(isTold(&late, 21) == nil)
    #expect(
      late.lines(manifest: bytes("m"), elapsed: 0).prefix(3) == [
        "m:7: 1: failed: exit code 3: false; 1 skipped because of it",
        "m:7: 2: failed: exit code 3: false; in an earlier run: --resume-failed executes it again",
        "… and 1 more; --results FILE lists all",
      ]
    )
    var skipped = Summary()
    #expect(isTold(&skipped, 1) != nil)
    add("s", .skipped, cause: .dependency, root: 1, to: &skipped)
    #expect(
      skipped.lines(manifest: bytes("m"), elapsed: 0).first
        == "m:7: 1: 1 skipped because of it"
    )
  }

  @Test("A failure with an annotation is not listed again, but for what followed")
  func annotated() {
    var summary = Summary()
    for number in 1...4 {
      let record = EndRecord(number: number, ending: .failed, isResumed: number == 2)
      let printed = summary.add(
        record,
        telling: { $0 < 3 ? .annotation : .line },
        described: {
          OperationDescription(id: bytes("\(number)"))
        }
      )
      #expect((printed != nil) == (number == 4))
    }
    add("s", .skipped, cause: .dependency, root: 3, to: &summary)
    for _ in 0..<30 { summary.add(.succeeded) }
    #expect(
      summary.lines(manifest: nil, elapsed: 0, verbosity: .quiet) == [
        "opool: 3: 1 skipped because of it", "opool: 4: failed",
      ]
    )
  }

  @Test("A failure without a worker is told at the end: it ends the run")
  func unserved() {
    var summary = Summary()
    for (number, cause) in [PoolFailureCause.unservedKind, .noWorker].enumerated() {
      let record = EndRecord(number: number, ending: .failed, cause: cause)
      let failure = summary.add(
        record,
        telling: { _ in .line },
        described: { OperationDescription(id: bytes("a")) }
      )
      #expect(failure == nil && summary.failures.count == number + 1)
    }
    #expect(summary.lines(manifest: nil, elapsed: 0).count == 3)
  }

  @Test("After twenty failures the rest is counted")
  func manyFailures() {
    var summary = Summary()
    for number in 0..<50 { add("\(number)", .failed, to: &summary) }
    let lines = summary.lines(manifest: nil, elapsed: 0)
    #expect(lines.count == 22)
    #expect(lines[19] == "opool: 19: failed")
    #expect(lines[20] == "… and 30 more; --results FILE lists all")
    let listed = summary.lines(manifest: nil, elapsed: 0, listed: bytes("r"))
    #expect(listed[20] == "… and 30 more; r lists all")
  }

  @Test("That more outputs were not printed than operations succeeded is explained")
  func unprinted() {
    var summary = Summary()
    summary.add(.cancelled)
    summary.add(.succeeded)
    #expect(summary.unprintedLine(1) == "opool: 1 output was not printed")
    #expect(
      summary.unprintedLine(2)
        == "opool: 2 outputs were not printed, also of operations that did not succeed"
    )
  }

  @Test("Of operations that no worker could execute the first is told, and the rest counted")
  func noWorker() {
    var summary = Summary()
    for number in 0..<30 { add("\(number)", .failed, cause: .noWorker, to: &summary) }
    add("30", .failed, cause: .exit, exit: 3, to: &summary)
    let expected = [
      "opool: 0: failed: noWorker", "opool: 30: failed: exit code 3",
      "… and 29 more without a worker", "opool: 0 succeeded, 31 failed in 0.0 s",
    ]
    #expect(summary.lines(manifest: nil, elapsed: 0) == expected)
    for number in 31..<51 { add("\(number)", .failed, to: &summary) }
    let lines = summary.lines(manifest: nil, elapsed: 0)
    #expect(
      lines.suffix(3).prefix(2) == [
        "… and 29 more without a worker", "… and 2 more; --results FILE lists all",
      ]
    )
  }
}

/// Contract: a plan lists operations in the order of dispatch, and says what the graph is like.
@Suite("Plans")
struct PlanTests {
  @Test("Operations go by level, then priority, then line")
  func manifest() throws {
    let manifest = try Manifest(
      bytes(
        """
        {"id":"a","run":["echo","x y"],"after":["b"]}
        {"id":"b","shell":"ls\\tx","priority":"low"}
        {"id":"c","kind":"k","payload":1}
        {"id":"d","run":["d"],"priority":"veryHigh"}
        {"id":"e","run":["e"],"after":["a","b"]}
        """
      )
    )
    let plan = DryRunPlan(manifest)
    var text: [UInt8] = []
    for position in 0..<plan.count {
      let operation = plan.operation(at: position)
      plan.append(
        position: position,
        id: manifest.id(of: operation),
        label: manifest.actionText(of: operation),
        to: &text
      )
    }
    #expect(
      String(decoding: text, as: UTF8.self)
        == "1\td\td\n1\tc\tk 1\n1\tb\tls\\tx\n2\ta\techo 'x y'\n3\te\te\n"
    )
    #expect(plan.summary.text == "opool: 5 operations, 3 dependencies, 3 levels, widest 3")
  }

  @Test("Details have a column of their own where there are any")
  func details() throws {
    let manifest = try Manifest(
      bytes(
        """
        {"id":"a","run":["a"],"exclusive":["db","x\\u001by"],"limit":{"net":2},"group":"g"}
        {"id":"b","run":["b"],"barrier":true,"slots":3}
        {"id":"c","run":["c"],"inputs":{"left":"a","right":"b"},"after":["g"]}
        {"id":"d","run":["d"]}
        """
      )
    )
    let plan = DryRunPlan(manifest)
    var text: [UInt8] = []
    for operation in 0..<4 {
      plan.append(
        position: operation,
        id: manifest.id(of: operation),
        label: manifest.actionText(of: operation),
        details: manifest.details(of: operation),
        to: &text
      )
    }
    #expect(
      String(decoding: text, as: UTF8.self) == """
        1\ta\ta\tgroup g; exclusive db, x\\x1By; limit net 2
        2\tb\tb\tbarrier; slots 3
        3\tc\tc\tinputs left from a, right from b
        3\td\td

        """
    )
    #expect(
      plan.summary.text
        == "opool: 4 operations, 3 dependencies, 3 levels, widest 2, 1 barrier, 1 group"
    )
  }

  @Test("Inputs are one level, and nothing is none")
  func inputs() {
    #expect(
      DryRunPlan(independent: 2).summary.text
        == "opool: 2 operations, 0 dependencies, 1 level, widest 2"
    )
    #expect(
      DryRunPlan(independent: 0).summary.text
        == "opool: 0 operations, 0 dependencies, 0 levels, widest 0"
    )
    #expect((0..<2).map(DryRunPlan(independent: 2).operation(at:)) == [0, 1])
  }
}

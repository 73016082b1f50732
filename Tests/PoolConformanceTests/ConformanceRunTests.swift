import PoolModel
import PoolWire
import Testing

@testable import PoolConformance

/// Contract: which cases are judged, in which order, and what they have come to.
@Suite("Runs of all cases")
struct ConformanceRunTests {
  private func test(_ name: String, _ fields: String) throws -> ConformanceCase {
    let json = #"{"title":"the \#(name)","section":"1","paragraph":"p",\#(fields)}"#
    return try ConformanceCase(name: name, json: json.utf8)
  }

  private func cases() throws -> [ConformanceCase] {
    let steps = #""steps":[{"expect":{"type":"hello"}}]"#
    return [
      try test("rule", #""watches":"lineFeed""#),
      try test("able", #""capabilities":["ping","recall"],\#(steps)"#),
      try test("plain", steps), try test("needy", #""needs":["lasts","fails"],\#(steps)"#),
      try test("hello", steps),
    ]
  }

  /// Holds a conversation with a worker that says this.
  private func hold(_ run: inout ConformanceRun, _ messages: String...) {
    guard var conversation = run.next() else { return }
    let body = messages.map { Array("\($0)\n".utf8) }
    let frames = body.flatMap { body in
      withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) } + body
    }
    (Frame.magic + frames).withUnsafeBytes { conversation.received($0) }
    conversation.outputEnded()
    conversation.exited(.exited(0))
    #expect(conversation.next(at: .zero) == .end)
    run.ended(conversation)
  }

  private func run(
    kind: String? = nil,
    works: [ConformanceCase.Payload: Placeholders.Work] = [:]
  ) throws -> ConformanceRun {
    ConformanceRun(try cases(), kind: kind, works: works, within: 1)
  }

  private func verdicts(_ run: ConformanceRun) -> [String] {
    run.results.map { result in
      switch result.verdict {
      case .passed: "\(result.test.name) passed"
      case .failed: "\(result.test.name) failed"
      case .skipped(let reason): "\(result.test.name): \(reason)"
      }
    }
  }

  private static let hello =
    #"{"type":"hello","versions":[1],"kinds":["k"],"capabilities":["ping"]}"#

  @Test("hello comes first, what is demanded of all next, and the rules last")
  func order() throws {
    var run = try run()
    #expect(run.count == 5)
    hold(&run, Self.hello)
    hold(&run, Self.hello)
    #expect(run.next() == nil && run.next() == nil)
    #expect(
      verdicts(run) == [
        "hello passed", "plain passed", "needy: needs --lasts and --fails",
        "able: the worker does not offer recall", "rule passed",
      ]
    )
    #expect(run.count == 5)
  }

  @Test("Of a worker that does not greet, no other case is judged")
  func silence() throws {
    var run = try run()
    hold(&run)
    #expect(run.next() == nil)
    #expect(
      verdicts(run) == ["hello failed"]
        + ["plain", "needy", "able", "rule"].map { "\($0): the worker did not greet" }
    )
  }

  @Test("A hello that its own case refuses counts as none")
  func wrongHello() throws {
    let steps = #""steps":[{"expect":{"type":"hello","versions":{"$contains":1}}}]"#
    let cases = [try test("hello", steps), try test("plain", steps)]
    var run = ConformanceRun(cases, kind: nil, works: [:], within: 1)
    hold(&run, #"{"type":"hello","versions":[2],"kinds":["k"]}"#)
    #expect(run.next() == nil && run.hello == nil)
    #expect(verdicts(run) == ["hello failed", "plain: the worker did not greet"])
  }

  @Test("A rule that is broken in any conversation fails its own case alone")
  func rules() throws {
    var run = try run()
    hold(&run, Self.hello)
    guard var conversation = run.next() else { throw CaseError("there is no second case") }
    let body = Array(Self.hello.utf8)
    let frame = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0) } + body
    (Frame.magic + frame).withUnsafeBytes { conversation.received($0) }
    #expect(conversation.next(at: .zero) == .end)
    run.ended(conversation)
    #expect(run.next() == nil)
    #expect(verdicts(run).first { $0.hasPrefix("plain") } == "plain passed")
    guard case .failed(let failure)? = run.results.last?.verdict else {
      throw CaseError("the rule is not broken")
    }
    #expect(failure.message == "a frame without a line feed (in the case 'plain')")
  }

  @Test("A rule's failure is the first breach")
  func firstBreach() throws {
    let steps = #""steps":[{"expect":{"type":"hello"}}]"#
    let cases = try [
      test("hello", steps), test("second", steps), test("rule", #""watches":"greeting""#),
    ]
    var run = ConformanceRun(cases, kind: nil, works: [:], within: 1)
    for _ in 0..<2 { hold(&run, Self.hello, Self.hello) }
    #expect(run.next() == nil)
    guard case .failed(let failure)? = run.results.last?.verdict else {
      throw CaseError("the rule is not broken")
    }
    #expect(failure.message == "a second hello (in the case 'hello')")
  }

  @Test("A kind that the worker does not serve is named, also one of a payload")
  func kinds() throws {
    var run = try run(kind: "k", works: [.succeeds: .init(kind: "other", payload: .null)])
    #expect(run.unservedKind == nil)
    hold(&run, Self.hello)
    #expect(run.unservedKind == "other")
    run = try self.run(kind: "none")
    hold(&run, Self.hello)
    #expect(run.unservedKind == "none")
    run = try self.run(kind: "k")
    hold(&run, Self.hello)
    #expect(run.unservedKind == nil)
  }

  @Test("Without any kind, nothing can be executed")
  func noKinds() throws {
    var run = try run()
    hold(&run, #"{"type":"hello","versions":[1],"kinds":[]}"#)
    #expect(run.next() == nil)
    #expect(verdicts(run)[1] == "plain: the worker names no kind; needs --kind")
  }

  @Test("The report is TAP, with a reason that YAML understands, and ends with the profiles")
  func report() throws {
    var run = try run()
    hold(&run, Self.hello)
    hold(&run, #"{"type":"hello","versions":2,"kinds":[]}"#)
    _ = run.next()
    let text =
      TAPReport.header(count: run.count)
      + run.results.enumerated().map { TAPReport.lines($1, number: $0 + 1) }.joined()
      + ProfileReport(run.results, offering: [.ping, .tail]).text
    #expect(
      text == #"""
        TAP version 14
        1..5
        ok 1 - hello: the hello
        ok 2 - plain: the plain
        ok 3 - needy: the needy # SKIP needs --lasts and --fails
        ok 4 - able: the able # SKIP the worker does not offer recall
        ok 5 - rule: the rule
        # 3 passed, 0 failed, 2 skipped
        # minimal profile: passes (1 case skipped)
        # full profile, of the capabilities that the worker offers:
        #   ping: not checked
        #   tail: no case is about it

        """#
    )
    var failure = Conversation.Failure(message: #"a "quoted" reason"#)
    failure.frame = ShownFrame(.fromWorker, raw: [0x7B, 0x0A])
    failure.frames = [ShownFrame(.toWorker, event: "end of input")]
    failure.standardError = ["a: b"]
    let failed = CaseResult(test: try test("x", #""watches":"order""#), verdict: .failed(failure))
    #expect(
      TAPReport.lines(failed, number: 7) == #"""
        not ok 7 - x: the x
          ---
          message: "a \"quoted\" reason"
          frame: "< 2 bytes: 7b 0a"
          section: "Protocol/README.md, §1"
          paragraph: "p"
          conversation:
            - "> (end of input)"
          stderr:
            - "a: b"
          ...

        """#
    )
    #expect(
      ProfileReport([failed], offering: []).text == """
        # 0 passed, 1 failed, 0 skipped
        # minimal profile: fails (x)
        # full profile: no capability offered

        """
    )
    #expect(TAPReport.bailOut("a\nb") == "Bail out! a\\nb\n")
  }
}

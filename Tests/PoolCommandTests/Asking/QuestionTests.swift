import PoolAnalysis
import PoolModel
import PoolWire
import Testing

@testable import PoolReports

/// Contract: what runs are asked and answer, as bytes and as text.
@Suite("Questions to a run")
struct QuestionTests {
  private static func output(isFollowing: Bool) -> RunQuestion.OutputQuestion {
    RunQuestion.OutputQuestion(id: [97], output: 1, error: 1 << 40, isFollowing: isFollowing)
  }

  @Test("a question is read as it was asked")
  func questions() throws {
    for subject in [
      RunQuestion.Subject.summary, .status, .explanation(Array("a \"b\"\u{1B}".utf8)),
      .cancel([Array("a\n".utf8), Array("b".utf8)]), .scale(3), .pause,
      .output(Self.output(isFollowing: true)), .output(Self.output(isFollowing: false)), .unpause,
      .again(1 << 40),
    ] {
      for wantsJSON in [false, true] {
        let question = RunQuestion(subject, wantsJSON: wantsJSON)
        #expect(question.line.last == UInt8(ascii: "\n"))
        #expect(try RunQuestion(Array(question.line.dropLast())) == question)
      }
    }
    for line in [
      "", "x", "{}", #"{"opool":2,"ask":"status"}"#, #"{"opool":1}"#, #"{"opool":1,"ask":"dance"}"#,
      #"{"opool":1,"ask":"explain"}"#, #"{"opool":1,"ask":"cancel"}"#,
      #"{"opool":1,"ask":"cancel","ids":"a"}"#, #"{"opool":1,"ask":"cancel","ids":[]}"#,
      #"{"opool":1,"ask":"scale"}"#,
      #"{"opool":1,"ask":"scale","width":"3"}"#, #"{"opool":1,"ask":"again"}"#,
    ] {
      #expect(throws: JSONError.self) { try RunQuestion(Array(line.utf8)) }
    }
  }

  @Test("an answer is read as it was given, with any text")
  func answers() throws {
    for text in ["", "a\nb\n", "{\"x\":1}\n"] {
      var answer = RunAnswer(Array(text.utf8), isAnswer: text.isEmpty)
      #expect(try RunAnswer(received: answer.bytes) == answer)
      answer.pending = RunAnswer.Pending(number: 7, limit: 30)
      #expect(try RunAnswer(received: answer.bytes) == answer)
    }
    let endless = #"{"opool":1,"ok":true,"pending":1,"limit":\#(Int64.max)}"#
    #expect(try RunAnswer(received: Array(endless.utf8)).pending?.limit == 86_400)
    for text in ["", "x\n", #"{"opool":9,"ok":true}"#] {
      #expect(throws: JSONError.self) { try RunAnswer(received: Array(text.utf8)) }
    }
  }

  private func lines(_ standing: Standing) -> [String] {
    Explanation(Array("x".utf8), standing).lines
  }

  @Test("each standing has its sentence, with names that cannot move the cursor")
  func sentences() {
    let other = Standing.Other(Array("a\u{1B}[2J\nb".utf8), executing: 61_000_000_000)
    let idle = Standing.Other(Array("c".utf8), executing: nil)
    let worker = WorkerID(rawValue: 3)
    #expect(lines(.ended(.timedOut)) == ["x: timed out"])
    #expect(lines(.ended(nil)) == ["x: ended"])
    #expect(lines(.executing(worker, 5_000_000_000)) == ["x: executes on worker 3 for 0:05"])
    let ending = Standing.Ending(for: 5_000_000_000, as: .cancelled, by: "SIGTERM")
    #expect(
      lines(.ending(worker, 9_000_000_000, ending)) == [
        "x: is cancelled, and is being ended for 0:05 by SIGTERM; worker 3 has executed it for 0:09"
      ]
    )
    let late = Standing.Ending(for: 0, as: .timedOut, by: "message")
    #expect(
      lines(.ending(worker, 1_000_000_000, late)) == [
        "x: has timed out, and is being ended for 0:00 by a message; worker 3 has executed it for 0:01"
      ]
    )
    #expect(
      lines(.slot(count: 1, busy: 2, Standing.Turn(behind: 0))) == [
        "x: is ready, and waits for a slot; 2 executing, first in the queue"
      ]
    )
    #expect(
      lines(.slot(count: 1, busy: 2, Standing.Turn(behind: 3, start: 5_000_000_000))) == [
        "x: is ready, and waits for a slot; 2 executing, 3 before it in the queue, "
          + "expected to start in 0:05"
      ]
    )
    #expect(lines(.delayed(5_000_000_000)) == ["x: waits to be tried again, in 0:05"])
    #expect(
      lines(.dependencies([other], more: 0)) == [
        "x: waits for a dependency:", #"  a\x1B[2J\nb, executing for 1:01"#,
      ]
    )
    #expect(
      lines(.dependencies([idle], more: 4)) == [
        "x: waits for 5 dependencies:", "  c", "  … and 4 more",
      ]
    )
    #expect(lines(.barrier(isOwn: false, idle)) == ["x: waits for a barrier:", "  c"])
    #expect(
      lines(.barrier(isOwn: true, idle)) == [
        "x: is a barrier, and waits for what is before it, such as", "  c",
      ]
    )
    #expect(
      lines(.limit(ResourceName(.limit, Array("net".utf8)), units: 1, [idle])) == [
        "x: is ready, and waits for limit 'net' (1 unit), which these hold:", "  c",
      ]
    )
    #expect(lines(.paused(.run, "y")) == ["x: is ready, and the run starts nothing: y"])
    #expect(lines(.slot(count: 1, busy: 2)) == ["x: is ready, and waits for a slot; 2 executing"])
    #expect(
      lines(.slot(count: 3, busy: 1)) == ["x: is ready, and waits for 3 free slots; 1 executing"]
    )
  }

  @Test("each standing is JSON, too")
  func json() {
    func text(_ standing: Standing) -> String {
      String(decoding: Explanation(Array("x".utf8), standing).json, as: UTF8.self)
    }
    let start = #"{"type":"explanation","id":"x","#
    #expect(text(.ended(.failed)) == start + #""state":"ended","outcome":"failed"}"# + "\n")
    #expect(
      text(.barrier(isOwn: true, Standing.Other([97], executing: nil))) == start
        + #""state":"waiting","for":"barrier","operations":[{"id":"a","elapsed":null}]}"# + "\n"
    )
    #expect(
      text(.limit(ResourceName(.limit, Array("net".utf8)), units: 2, [])) == start
        + #""state":"ready","for":"limit","limit":"net","units":2,"operations":[]}"# + "\n"
    )
    #expect(
      text(.limit(ResourceName(.exclusive, Array("disk".utf8)), units: 1, [])) == start
        + #""state":"ready","for":"exclusive","exclusive":"disk","units":1,"operations":[]}"# + "\n"
    )
    #expect(
      text(.heldBack("later")) == start
        + #""state":"ready","for":"start","reason":"later"}"# + "\n"
    )
    #expect(
      text(.slot(count: 1, busy: 2)) == start
        + #""state":"ready","for":"slot","slots":1,"executing":2,"ahead":null,"start":null}"# + "\n"
    )
  }
}

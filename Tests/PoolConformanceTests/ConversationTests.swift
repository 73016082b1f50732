import PoolModel
import PoolWire
import Testing

@testable import PoolConformance

/// Contract: what each step of a case does, and when it fails.
@Suite("Conversations of cases")
struct ConversationTests {
  private static let hello =
    #"{"type":"hello","versions":[1],"kinds":["k"],"capabilities":["prefetch","cancel","recall"]}"#
  private static let execute = #"{"send":{"type":"execute","operation":1,"dispatch":1,"kind":"k"}}"#
  private static let expectFinished = #"{"expect":{"type":"finished","dispatch":1}}"#

  private func message(_ type: String, _ dispatch: Int = 1, _ more: String = "") -> String {
    #"{"type":"\#(type)","operation":\#(dispatch),"dispatch":\#(dispatch)\#(more)}"#
  }

  /// A conversation that has come to the answer of one operation.
  private func begun(_ steps: String...) throws -> Conversed {
    var it = try Conversed(([#"{"greet":{}}"#, Self.execute] + steps).joined(separator: ","))
    it.greet()
    it.hear(Self.hello)
    #expect(it.written().count == 1)
    #expect(it.written().count == 1)
    return it
  }

  @Test("A greeting is awaited before the welcome, to which a case may add fields")
  func greeting() throws {
    var it = try Conversed(#"{"greet":{"files":true,"slot":2}}"#)
    #expect(it.next() == .wait(until: Instant(nanoseconds: Conversed.limit)))
    it.greet()
    it.hear(Self.hello)
    #expect(
      it.written() == [
        #"{"type":"welcome","version":1,"worker":1,"frameLimit":67174400,"files":true,"slot":2}"#
      ]
    )
    #expect(it.next() == .end && it.message == nil)
    #expect(it.conversation.hello?.kinds == ["k"])
  }

  @Test("A banner may come before the magic line, but no other greeting")
  func noise() throws {
    var it = try Conversed(#"{"expect":{"type":"hello"}}"#)
    it.hear(raw: Array("welcome to this host\n".utf8))
    it.greet()
    it.hear(Self.hello)
    #expect(it.next() == .end && it.message == nil)
    it = try Conversed(#"{"expect":{"type":"hello"}}"#)
    it.hear(raw: Array("OPOOL-WORKER 1\r\n".utf8))
    #expect(it.next() == .end && it.message?.contains("greeted with") == true)
    it = try Conversed(#"{"expect":{"type":"hello"}}"#)
    it.hear(Self.hello)
    #expect(it.next() == .end && it.message?.contains("a frame before") == true)
  }

  @Test("An expected message passes; other types before it do not matter")
  func expected() throws {
    var it = try begun(Self.expectFinished)
    it.hear(message("executing"), message("log", 1, #","message":"m""#), #"{"type":"new"}"#)
    it.hear(message("finished"))
    #expect(it.next() == .end && it.message == nil && it.rules.isEmpty)
  }

  @Test("A message of the type that is otherwise different fails, and is shown")
  func different() throws {
    var it = try begun(Self.expectFinished)
    it.hear(message("executing"), message("finished", 2))
    #expect(it.next() == .end)
    #expect(
      it.message == #"instead of {"type":"finished","dispatch":1}, this came"#
    )
    let failure = it.conversation.outcome
    #expect(
      failure?.frame?.description
        == #"< finished {"type":"finished","operation":2,"dispatch":2}"#
    )
    #expect(failure?.frames.count == 5)
    #expect(failure?.frames.first?.description.hasPrefix("< hello {") == true)
    #expect(failure?.frames[1].description.hasPrefix("> welcome {") == true)
  }

  @Test("Second answers and second executings are passed over, and left to the rules")
  func repeated() throws {
    var it = try begun(
      Self.expectFinished,
      #"{"send":{"type":"execute","operation":2,"dispatch":2,"kind":"k"}}"#,
      #"{"expect":{"type":"finished","dispatch":2},"among":["executing"]}"#
    )
    it.hear(message("executing"), message("finished"), message("finished"))
    #expect(it.written().count == 1)
    it.hear(message("finished", 2))
    #expect(it.next() == .end && it.message == nil)
    #expect(it.rules == [.answeredOnce, .executingFirst])
  }

  @Test("The second executing of an operation is passed over, that of another is not")
  func secondExecuting() throws {
    let steps = [
      #"{"expect":{"type":"executing"}}"#, #"{"expect":{"type":"returned"},"among":["executing"]}"#,
    ]
    var it = try begun(steps.joined(separator: ","))
    it.hear(message("executing"), message("executing", 1, #","pid":7,"group":7"#))
    #expect(it.next() != .end)
    it.hear(message("returned", 2))
    #expect(it.next() == .end && it.message == nil)
    it = try begun(steps.joined(separator: ","))
    it.hear(message("executing"), message("executing", 2))
    #expect(it.next() == .end && it.message != nil)
  }

  @Test("No message is looked at twice")
  func once() throws {
    var it = try begun(
      #"{"expect":{"type":"progress","completed":1}}"#,
      #"{"expect":{"type":"progress","completed":2}}"#
    )
    it.hear(message("executing"), message("progress", 1, #","completed":1,"total":2"#))
    #expect(it.next() != .end && it.next() != .end)
    it.hear(message("progress", 1, #","completed":2,"total":2"#))
    #expect(it.next() == .end && it.message == nil)
  }

  @Test("An attachment is understood only where the welcome has allowed it")
  func attachments() throws {
    let packed: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(ascii: "7")]
    for (welcome, isUnderstood) in [(#"{"attachmentLimit":99}"#, true), ("{}", false)] {
      var it = try Conversed(#"{"greet":\#(welcome)}"#, Self.execute, Self.expectFinished)
      it.greet()
      it.hear(Self.hello)
      while case .write = it.next() {}
      it.hear(message("executing"))
      it.hear(raw: [0x80, 0, 0, UInt8(packed.count)] + packed)
      it.hear(message("finished", 1, #","packed":true"#))
      #expect(it.next() == .end)
      #expect((it.message == nil) == isUnderstood && it.rules.isEmpty, "\(welcome)")
    }
  }

  @Test("A message of a type that the step also looks at fails it")
  func among() throws {
    var it = try begun(#"{"expect":{"type":"pong"},"among":["finished"]}"#)
    it.hear(message("executing"), message("finished"))
    #expect(it.next() == .end && it.message?.hasSuffix("this came") == true)
  }

  @Test("A message may end the case well")
  func passIf() throws {
    var it = try begun(
      #"{"expect":{"type":"printed"},"passIf":{"type":"finished","stdout":"$any"}}"#,
      #"{"expectExit":"any"}"#
    )
    it.hear(message("executing"), message("finished", 1, #","stdout":"x""#))
    #expect(it.next() == .end && it.message == nil)
    it = try begun(#"{"expect":{"type":"printed"},"passIf":{"type":"finished","stdout":"$any"}}"#)
    it.hear(message("executing"), message("finished"))
    #expect(it.next() == .end && it.message != nil)
  }

  @Test("What does not come in time fails; a step may have more time of its own")
  func time() throws {
    var it = try begun(Self.expectFinished)
    #expect(it.next() == .wait(until: Instant(nanoseconds: Conversed.limit)))
    #expect(it.next(after: Conversed.limit - 1) != .end)
    #expect(it.next(after: 1) == .end)
    #expect(it.message == #"{"type":"finished","dispatch":1} did not come within 5 s"#)
    it = try begun(#"{"expect":{"type":"finished"},"within":30}"#)
    #expect(it.next() == .wait(until: Instant(nanoseconds: .seconds(30))))
    it = try begun(#"{"expect":{"type":"finished"},"within":1}"#)
    #expect(it.next() == .wait(until: Instant(nanoseconds: Conversed.limit)))
  }

  @Test("Each step has its own time")
  func restartedTime() throws {
    var it = try begun(#"{"expect":{"type":"executing"}}"#, Self.expectFinished)
    #expect(it.next() == .wait(until: Instant(nanoseconds: Conversed.limit)))
    #expect(it.next(after: Conversed.limit - 1) != .end)
    it.hear(message("executing"))
    let end = Instant(nanoseconds: 2 * Conversed.limit - 1)
    #expect(it.next() == .wait(until: end))
  }

  @Test("All answers are awaited, of whatever sort")
  func answers() throws {
    var it = try begun(
      #"{"send":{"type":"execute","operation":2,"dispatch":2,"kind":"k"}}"#,
      #"{"expectAnswers":true}"#
    )
    #expect(it.written().count == 1)
    it.hear(message("executing"), message("finished"))
    #expect(it.next() != .end)
    #expect(it.conversation.isBusy)
    it.hear(message("returned", 2))
    #expect(it.next() == .end && it.message == nil && !it.conversation.isBusy)
  }

  @Test("A worker that ends fails what is still expected")
  func early() throws {
    var it = try begun(Self.expectFinished)
    it.hearError("first\nlast\n")
    it.exit(3)
    #expect(it.next() == .end)
    #expect(
      it.message == #"instead of {"type":"finished","dispatch":1}, the worker exited with 3"#
    )
    #expect(it.conversation.outcome?.standardError == ["first", "last"])
  }

  @Test("Bytes that are no frame fail what is still expected, and are shown")
  func garbage() throws {
    var it = try begun(Self.expectFinished)
    it.hear(message("executing"))
    it.hear(raw: Array("text\n".utf8))
    #expect(it.next() == .end)
    #expect(it.message?.contains("as text it is “text”") == true)
    #expect(it.conversation.outcome?.frame?.description == "< 5 bytes: 74 65 78 74 0a")
    let frames = it.conversation.outcome?.frames
    it.hear(message("finished"))
    #expect(it.conversation.outcome?.frames == frames)
  }

  @Test("Only the latest frames are shown, without the ends of long ones")
  func shown() throws {
    var it = try begun(Self.expectFinished)
    it.hear(message("executing"))
    let long = String(repeating: "x", count: 1_000)
    for _ in 0..<20 { it.hear(message("log", 1, #","message":"\#(long)""#)) }
    it.exit(0)
    #expect(it.next() == .end)
    let frames = it.conversation.outcome?.frames ?? []
    #expect(frames.count == 12)
    #expect(frames.allSatisfy { $0.description.count < 180 && $0.description.hasSuffix("…") })
    let bytes = ShownFrame(.toWorker, raw: [UInt8](repeating: 0xAB, count: 25)).description
    #expect(bytes.hasPrefix("> 25 bytes: ab ab ") && bytes.hasSuffix(" ab …"))
  }

  @Test("An exit is awaited, and its status and what it leaves are judged")
  func exits() throws {
    var it = try Conversed(#"{"closeInput":true}"#, #"{"expectExit":"any"}"#)
    #expect(it.next() == .closeInput)
    #expect(it.next() == .wait(until: Instant(nanoseconds: Conversed.limit)))
    it.endOutput()
    #expect(it.next() != .end)
    it.exit(0)
    #expect(it.next() == .end && it.message == nil)

    it = try Conversed(#"{"expectExit":"failure"}"#)
    it.exit(0)
    #expect(it.next() == .end)
    #expect(it.message == "the worker should end otherwise than with status 0")
    it = try Conversed(#"{"expectExit":"failure"}"#)
    it.exit(1)
    #expect(it.next() == .end && it.message == nil)

    it = try Conversed(#"{"expectExit":"any","leaves":"nothing"}"#)
    it.exit(0)
    #expect(it.next() == .lookForProcesses(until: Instant(nanoseconds: Conversed.limit)))
    it.found([17, 18])
    #expect(it.next() == .end)
    #expect(it.message == "the worker has ended, but of its processes these live on: 17, 18")
  }

  @Test("A text of the standard error is awaited, or any text")
  func standardError() throws {
    var it = try Conversed(#"{"expectStandardError":"b\u001e"}"#)
    it.hearError("a")
    #expect(it.next() != .end)
    it.hearError("b\u{1E}c")
    #expect(it.next() == .end && it.message == nil)
    it = try Conversed(#"{"expectStandardError":"reason"}"#)
    it.exit(1)
    #expect(it.next() != .end, "it may be read after the exit")
    it.hearError("reason" + String(repeating: "x", count: 70_000))
    #expect(it.next() != .end, "so much is not kept")
    it.hearError("reason")
    #expect(it.next() == .end && it.message == nil)
    it = try Conversed(#"{"expectStandardError":""}"#)
    #expect(it.next() != .end)
    #expect(it.next(after: Conversed.limit) == .end)
    #expect(it.message == "a reason on the standard error did not come within 5 s")
  }
}

/// Contract: what is written.
@Suite("What cases send")
struct SendingTests {
  @Test("Several messages are one write, a body is as it stands, and pieces have a size")
  func writes() throws {
    var it = try Conversed(
      #"{"send":[{"type":"a"},{"type":"b"}]}"#,
      #"{"sendBody":["{\"x\"",":1}"]}"#
    )
    #expect(it.written() == [#"{"type":"a"}"#, #"{"type":"b"}"#])
    #expect(it.next() == .write([[0, 0, 0, 7] + Array(#"{"x":1}"#.utf8)]))
    it = try Conversed(#"{"sendHex":"00 ff 7b"}"#, #"{"sendHex":"01 02 03","pieces":2}"#)
    #expect(it.next() == .write([[0, 255, 123]]))
    #expect(it.next() == .write([[1, 2], [3]]))
    #expect(it.next() == .end)
  }

  @Test("A packed payload is an attachment that the protocol's reader understands")
  func packed() throws {
    var it = try Conversed(
      #"{"sendPacked":{"type":"execute","operation":1,"dispatch":2,"kind":"k","payload":[1,"x"]}}"#
    )
    guard case .write(let pieces) = it.next() else { throw CaseError("nothing was written") }
    var decoder = FrameDecoder(preamble: .none)
    decoder.attachmentLimit = 1_000
    Array(pieces.joined()).withUnsafeBytes { decoder.append($0) }
    var operations: [Execute] = []
    _ = try decoder.nextCoordinatorMessage(after: &operations)
    let payload = try #require(operations.first?.payload)
    try PackedValue.check(payload)
    #expect(String(decoding: payload.suffix(7), as: UTF8.self) == #"[1,"x"]"#)
  }
}

import PoolContents
import PoolModel
import PoolWire
import Testing

@testable import PoolReports

/// Contract: what a run says of outputs is read as it was said, and pieces of outputs fit together.
@Suite("Replies about outputs")
struct OutputReplyTests {
  @Test("a reply is read as it was written")
  func roundTrip() throws {
    let written = WrittenOutputs(
      output: WrittenPiece([0xFF, 0], end: 7),
      error: WrittenPiece(Array("é".utf8), end: 2)
    )
    for reply in [
      OutputReply(.waiting), OutputReply(.executing, start: Instant(nanoseconds: 5_000)),
      OutputReply(.executing, start: Instant(nanoseconds: 0), written: written),
      OutputReply(.ended, place: .folder([0x2F, 0xFF]), reason: "x"),
      OutputReply(.ended, place: .file(Array("/f".utf8))),
    ] {
      #expect(try OutputReply(reply.line(of: Array("a\"".utf8))) == reply)
    }
    let huge = #"{"state":"ended","stdout":"","stdoutEnd":\#(Int64.max),"stderrEnd":\#(Int64.min)}"#
    #expect(try OutputReply(Array(huge.utf8)).written?.output.end == 1 << 60)
    #expect(try OutputReply(Array(huge.utf8)).written?.error.end == 0)
    for line in ["", "{}", #"{"state":"dancing"}"#] {
      #expect(throws: JSONError.self) { try OutputReply(Array(line.utf8)) }
    }
  }

  @Test("pieces of an output are those behind the offset, and what was passed on is not there")
  func pieces() {
    let content = OutputContent.inline([1, 2, 3, 4])
    #expect(content.piece(3, from: 0) == WrittenPiece([1, 2, 3], end: 3))
    #expect(content.piece(3, from: 3) == WrittenPiece([4], end: 4))
    #expect(content.piece(3, from: 9) == WrittenPiece(end: 4))
    let rest = OutputContent.rest(content, after: PassedOutput(byteCount: 10))
    #expect(rest.piece(2, from: 0) == WrittenPiece([1, 2], end: 12))
    #expect(rest.piece(9, from: 12) == WrittenPiece([3, 4], end: 14))
    #expect(OutputContent.lost.piece(9, from: 5) == WrittenPiece(end: 5))
  }
}

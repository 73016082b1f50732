import Foundation
import PoolWire
import Testing

/// What the writer writes is JSON that means what was given.
@Suite("JSON writer")
struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("Commas stand between values and nowhere else")
  func commas() {
    let text = written { writer in
      writer.beginArray()
      writer.beginObject()
      writer.endObject()
      writer.integer(1)
      writer.beginObject()
      writer.field("a", 2)
      writer.field("b", "c")
      writer.key("d")
      writer.null()
      writer.key(Array("e".utf8))
      writer.bool(true)
      writer.endObject()
      writer.beginArray()
      writer.endArray()
      writer.string("x")
      writer.raw(Array("{}".utf8))
      writer.endArray()
    }
    #expect(text == #"[{},1,{"a":2,"b":"c","d":null,"e":true},[],"x",{}]"#)
  }

  @Test("Integers of every width, at their ends")
  func integers() {
    #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.integer(Int64.max) } == "9223372036854775807")
    #expect(written { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.integer(Int8.min) } == "-128")
    #expect(written { $0.integer(0) } == "0")
    var power: UInt64 = 1
    for _ in 0..<19 {
      for value in [power - 1, power, power + 1] {
        #expect(written { $0.integer(value) } == "\(value)")
      }
      power *= 10
    }
    let fields = written { writer in
      writer.beginObject()
      writer.field("least", Int64.min)
      writer.field("most", UInt64.max)
      writer.endObject()
    }
    #expect(fields == #"{"least":-9223372036854775808,"most":18446744073709551615}"#)
  }

  @Test("Seconds have six decimals")
  func seconds() {
    #expect(written { $0.seconds(0) } == "0.000000")
    #expect(written { $0.seconds(1_999) } == "0.000001")
    #expect(written { $0.seconds(61_000_050_000) } == "61.000050")
    #expect(written { $0.seconds(-1_500_000) } == "-0.001500")
    #expect(written { $0.seconds(-999) } == "0.000000")
    #expect(written { $0.seconds(.min) } == "-9223372036.854775")
  }

  @Test("Every ASCII character survives in a string, and so do longer ones")
  func strings() throws {
    let texts =
      (0..<128).map { String(UnicodeScalar(UInt8($0))) } + ["é€\u{1F980}", "a\"b\\c\nd", ""]
    for text in texts {
      let json = Array(written { $0.string(text) }.utf8)
      let mine = try json.scanned { scanner throws(JSONError) in try scanner.string() }
      let theirs = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
      #expect(mine == text)
      #expect(theirs as? String == text)
    }
  }

  @Test("What a string must escape is escaped at each place of texts of each length, and no more")
  func escapesEverywhere() throws {
    for length in Array(1..<20) + [255, 256, 257, 300] {
      for place in length < 20 ? Array(0..<length) : [0, 7, 8, length - 2, length - 1] {
        for special in [0, 0x1B, 0x1F, 0x22, 0x5C, 0x20, 0x21, 0x7F] as [UInt8] {
          var text = [UInt8](repeating: 0x61, count: length)
          text[place] = special
          let json = Array(written { $0.string(text) }.utf8)
          let needsEscape = special < 0x20 || special == 0x22 || special == 0x5C
          #expect(json.contains(0x5C) == needsEscape)
          let read = try json.scanned { scanner throws(JSONError) in try scanner.string() }
          #expect(Array(read.utf8) == text, "\(special) at \(place) of \(length)")
        }
      }
    }
    let run = String(repeating: "\u{1B}[0m\u{1B}\u{0}\"é", count: 100)
    let json = Array(written { $0.string(run) }.utf8)
    #expect(try json.scanned { scanner throws(JSONError) in try scanner.string() } == run)
  }

  @Test("Keys are written as strings are, with escapes or long")
  func keys() {
    let long = String(repeating: "k", count: 300)
    let text = written { writer in
      writer.beginObject()
      for key in ["a", "", "b\n", long] {
        writer.key(Array(key.utf8))
        writer.null()
      }
      writer.endObject()
    }
    #expect(text == #"{"a":null,"":null,"b\n":null,"\#(long)":null}"#)
  }

  @Test("Byte texts are strings where they are UTF-8, base64 otherwise, and read back the same")
  func byteTexts() throws {
    for bytes in [[], Array("é".utf8), [0xFF], [0x61, 0x80, 0x62], [0xED, 0xA0, 0x80]] {
      let json = Array(written { $0.byteText(bytes) }.utf8)
      #expect(
        (json.first == UInt8(ascii: "\"")) == (String(validating: bytes, as: UTF8.self) != nil)
      )
      let read = try json.scanned { scanner throws(JSONError) in try scanner.byteText() }
      #expect(read == bytes)
    }
  }

  @Test(
    "What is neither a string nor base64 is no byte text",
    arguments: [
      "7", "null", "[]", "{}", #"{"base64":7}"#, #"{"base64":"A"}"#, #"{"base64":"????"}"#,
      #"{"base64":"QQ==","x":1}"#, #"{"base32":"QQ=="}"#, #"{"base64":"QQ==","base64":"QQ=="}"#,
    ]
  )
  func wrongByteTexts(text: String) {
    #expect(throws: JSONError.self) {
      try Array(text.utf8).scanned { scanner throws(JSONError) in try scanner.byteText() }
    }
  }

  @Test("Several frames share one buffer, each with its own length")
  func frames() throws {
    var writer = JSONWriter()
    WorkerMessage.pong(1).encode(into: &writer)
    WorkerMessage.unknown("x").encode(into: &writer)
    var reader = StreamReader(preamble: .none)
    try reader.feed(writer.bytes[...])
    #expect(
      reader.bodies.map { String(decoding: $0, as: UTF8.self) } == [
        "{\"type\":\"pong\",\"number\":1}\n", "{\"type\":\"x\"}\n",
      ]
    )
    writer.removeAll()
    #expect(writer.bytes.isEmpty)
  }
}

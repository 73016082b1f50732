import PoolWire
import Testing

@testable import PoolConformance

/// Contract: a tree keeps what the text has, digits among it.
@Suite("JSON of cases")
struct JSONNodeTests {
  private func node(_ text: String) throws(JSONError) -> JSONNode { try JSONNode(text.utf8) }

  @Test("A text is written as it was read, without blanks")
  func roundTrip() throws {
    let text = #"{"b":[1,-0.5e3,18446744073709551615],"a":{"c":null,"d":true},"e":"\"é\n"}"#
    let spaced = text.replacing(",\"", with: " ,\n\t\"").replacing("[1,", with: "[ 1 , ")
    #expect(String(decoding: try node(spaced).json, as: UTF8.self) == text)
  }

  @Test("A field that is null is absent, and of two with the same name the last one counts")
  func fields() throws {
    let object = try node(#"{"a":1,"b":null,"a":2,"c":[3]}"#)
    #expect(object["a"]?.digits == "2" && object["b"] == nil && object["d"] == nil)
    #expect(object["c"] == .array([.number("3")]) && object["a"]?.text == nil)
    #expect(try node("[1]")["a"] == nil)
  }

  @Test("As many levels as a message may have are read, and no more")
  func depth() throws {
    let deepest = JSONScanner.depthLimit + 3
    let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(String(decoding: try node(nested(deepest)).json, as: UTF8.self) == nested(deepest))
    #expect(throws: JSONError.self) { try node(nested(deepest + 2)) }
  }

  @Test("What is no JSON is refused", arguments: ["", "{", "[1,]", "1 2", #"{"a" 1}"#])
  func refusal(_ text: String) {
    #expect(throws: JSONError.self) { try node(text) }
  }
}

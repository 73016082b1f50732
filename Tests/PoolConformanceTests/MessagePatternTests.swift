import Testing

@testable import PoolConformance

/// Contract: what a pattern demands of a message.
@Suite("Patterns of messages")
struct MessagePatternTests {
  @Test(
    "A pattern demands its own fields",
    arguments: [
      (#"{"type":"a"}"#, #"{"type":"a","b":1}"#, true), (#"{"type":"a"}"#, #"{"type":"b"}"#, false),
      (#"{"b":"$any"}"#, #"{"b":[1]}"#, true), (#"{"b":"$any"}"#, #"{"c":1}"#, false),
      (#"{"b":"$any"}"#, #"{"b":null}"#, false), (#"{"b":null}"#, #"{"b":null}"#, true),
      (#"{"b":null}"#, "{}", true), (#"{"b":null}"#, #"{"b":1}"#, false),
      (#"{"b":{"$contains":1}}"#, #"{"b":[2,1]}"#, true),
      (#"{"b":{"$contains":1}}"#, #"{"b":[2]}"#, false),
      (#"{"b":{"$contains":1}}"#, #"{"b":1}"#, false),
      (#"{"b":{"c":1}}"#, #"{"b":{"d":2,"c":1}}"#, true),
      (#"{"b":9007199254740993}"#, #"{"b":9007199254740992}"#, false),
      (#"{"b":[1,"$any"]}"#, #"{"b":[1,2]}"#, true), (#"{"b":[1]}"#, #"{"b":[1,2]}"#, false),
      (#"{"b":"1"}"#, #"{"b":1}"#, false), (#"{"b":true}"#, #"{"b":true}"#, true),
    ]
  )
  func table(_ pattern: String, _ message: String, _ isMatch: Bool) throws {
    let pattern = MessagePattern(try JSONNode(pattern.utf8))
    #expect(pattern.matches(try JSONNode(message.utf8)) == isMatch)
  }
}

import PoolCommand
import Testing

@testable import PoolInputs

/// Contract: whatever is wrong with a manifest is said as `FILE:LINE: field: what is wrong`, all
/// of it at once, and nothing else is.
@Suite("An invalid manifest")
struct ManifestErrorTests {
  private func errors(_ text: [UInt8], lineLimit: Int = 1_000) -> [String] {
    do {
      _ = try Manifest(text, lineLimit: lineLimit)
      return []
    } catch {
      return error.lines(file: bytes("m"))
    }
  }

  private func errors(_ lines: String...) -> [String] {
    errors(bytes(lines.joined(separator: "\n")))
  }

  @Test(
    "A line that is no object of JSON is named with its column",
    arguments: [
      ("nonsense", "column 1: expected an object"),
      ("[1]", "column 1: expected an object: each line is one, without '[' around all"),
      (#"{"run":["a"]"#, "column 13: the text ends too early"),
      (#"{"name":"ü" "run"}"#, "column 13: expected ',' or '}'"),
      (#"{"name":"ü","run":["a"]]"#, "column 24: expected ',' or '}'"),
      (#"{"run":["a"]} x"#, "column 15: something after the end of the value"),
      (#"{"run":["\q"]}"#, "column 10: an escape that JSON does not know"),
      ("{\"run\":[\"a\tb\"]}", "column 11: an unescaped control character in a string"),
      (#"{"run":["a"],"timeout":01}"#, "column 24: a malformed number"),
    ]
  )
  func syntax(line: String, message: String) {
    #expect(errors(line) == ["m:1: " + message])
  }

  @Test(
    "A field with the wrong value is named",
    arguments: [
      (#"{"run":"a"}"#, "run: expected an array of strings, found a string"),
      (#"{"run":[1]}"#, "run: expected a string in the array, found a number"),
      (#"{"run":[]}"#, "run: the array is empty"),
      (#"{"run":[""]}"#, "run: the program's name is empty"),
      (#"{"run":["a","\u0000"]}"#, "run: contains a NUL"),
      (#"{"id":"\u0000","run":["a"]}"#, "id: contains a NUL, which OPOOL_ID cannot hold"),
      (#"{"run":["a",{"base64":"AA=="}]}"#, "run: contains a NUL"),
      (#"{"run":["a",{"base64":"x"}]}"#, "run: invalid base64"),
      (#"{"run":["a",{"hex":"00"}]}"#, #"run: expected {"base64": "…"}"#),
      (#"{"shell":["a"]}"#, "shell: expected a string, found an array"),
      (#"{"kind":null}"#, "kind: expected a string, found null"),
      (#"{"kind":""}"#, "kind: must not be empty"),
      (#"{"id":7,"run":["a"]}"#, "id: expected a string, found a number"),
      (#"{"id":"","run":["a"]}"#, "id: must not be empty"),
      (#"{"run":["a"],"name":true}"#, "name: expected a string, found a boolean"),
      (#"{"run":["a"],"timeout":0}"#, "timeout: must be more than 0 seconds, and finite"),
      (#"{"run":["a"],"timeout":1e999}"#, "timeout: must be more than 0 seconds, and finite"),
      (
        #"{"run":["a"],"timeout":"1"}"#,
        "timeout: expected a number of seconds above 0, found a string"
      ),
      (#"{"run":["a"],"nice":20}"#, "nice: expected an integer from 0 to 19"),
      (#"{"run":["a"],"nice":-1}"#, "nice: expected an integer from 0 to 19"),
      (#"{"kind":"k","nice":1}"#, "nice: not allowed with 'kind'"),
      (#"{"run":["a"],"retries":-1}"#, "retries: expected an integer of at least 0"),
      (#"{"run":["a"],"retries":1e400}"#, "retries: expected an integer of at least 0"),
      (#"{"run":["a"],"retries":1E-1}"#, "retries: expected an integer of at least 0"),
      (#"{"run":["a"],"retries":1.5}"#, "retries: expected an integer of at least 0"),
      (#"{"run":["a"],"cwd":""}"#, "cwd: must not be empty"),
      (#"{"run":["a"],"env":["A=1"]}"#, "env: expected an object of strings, found an array"),
      (
        #"{"run":["a"],"env":{"A":1}}"#,
        "env: expected a string as the value of 'A', found a number"
      ),
      (#"{"run":["a"],"env":{"":"1"}}"#, "env: a variable's name is empty"),
      (#"{"run":["a"],"env":{"A=B":"1"}}"#, "env: 'A=B' contains '='"),
      (#"{"run":["a"],"env":{"A":"1","A":"2"}}"#, "env: 'A' is there twice"),
      (#"{"run":["a"],"env":{"A":"\u0000"}}"#, "env: contains a NUL"),
      (
        #"{"run":["a"],"priority":"urgent"}"#,
        "priority: expected veryLow, low, normal, high, veryHigh or an integer, found 'urgent'"
      ),
      (
        #"{"run":["a"],"priority":1.5}"#,
        "priority: expected veryLow, low, normal, high, veryHigh or an integer"
      ),
      (
        #"{"run":["a"],"qos":"fast"}"#,
        "qos: expected one of userInteractive, userInitiated, utility, background, default, "
          + "found 'fast'"
      ),
      (#"{"run":["a"],"after":"b"}"#, "after: expected an array of ids, found a string"),
      (
        #"{"run":["a"],"after":[1]}"#,
        #"after: expected an id or {"id": …, "when": …}, found a number"#
      ),
      (#"{"run":["a"],"after":[{"when":"failed"}]}"#, "after: an object without an 'id'"),
    ]
  )
  func values(line: String, message: String) {
    #expect(errors(line) == ["m:1: " + message])
  }

  @Test(
    "Fields that do not go together are named",
    arguments: [
      (#"{"id":"a"}"#, "one of 'run', 'shell' and 'kind' is required"),
      (#"{"run":["a"],"shell":"b"}"#, "only one of 'run', 'shell' and 'kind' may be there"),
      (#"{"run":["a"],"payload":null}"#, "payload: only allowed with 'kind'"),
      (#"{"kind":"k","cwd":"/"}"#, "cwd: not allowed with 'kind'"),
      (#"{"kind":"k","env":{}}"#, "env: not allowed with 'kind'"),
      (#"{"kind":"k","stdin":""}"#, "stdin: not allowed with 'kind'"),
      (#"{"run":["a"],"run":["b"]}"#, "run: the field is there twice"),
      (#"{"run":["a"],"afer":[]}"#, "afer: unknown field; did you mean 'after'?"),
      (#"{"run":["a"],"\u001b[2J":1}"#, #"\x1B[2J: unknown field"#),
    ]
  )
  func combinations(line: String, message: String) {
    #expect(errors(line) == ["m:1: " + message])
  }

  @Test("All errors of all lines come at once, by line")
  func several() {
    #expect(
      errors(
        #"{"id":"a","run":["a"],"after":["x"]}"#,
        "# comment",
        #"{"id":"a","run":[],"retries":"no"}"#
      ) == [
        "m:1: after: there is no operation 'x'",
        "m:3: run: the array is empty",
        "m:3: retries: expected an integer of at least 0, found a string",
        "m:3: id: 'a' is the id of line 1 already",
      ]
    )
  }

  @Test("A dependency is not called missing where a line could not be read")
  func unreadLines() {
    let first = #"{"id":"a","run":["a"],"after":["b"]}"#
    #expect(errors(first, #"{"id":"b","run":["a"}"#).count == 1)
    #expect(errors(first, #"{"id":"b","run":[]}"#) == ["m:2: run: the array is empty"])
  }

  @Test("An identifier may collide with a line number")
  func lineNumberAsIdentifier() {
    #expect(
      errors(#"{"run":["a"]}"#, #"{"id":"1","run":["a"]}"#) == [
        "m:2: id: '1' is the id of line 1 already"
      ]
    )
    #expect(
      errors(#"{"id":"2","run":["a"]}"#, #"{"run":["a"]}"#) == [
        "m:2: id: '2' is the id of line 1 already: a line without an id has its number as id"
      ]
    )
  }

  @Test("Contradictory requirements of one dependency are named")
  func contradiction() {
    #expect(
      errors(#"{"id":"a","run":["a"]}"#, #"{"run":["b"],"after":["a",{"id":"a","when":"failed"}]}"#)
        == ["m:2: after: 'a' is there twice, once succeeded and once failed"]
    )
  }

  @Test("What is wrong inside an entry of 'after' is named")
  func entries() {
    #expect(
      errors(#"{"id":"a","run":["b"]}"#, #"{"run":["b"],"after":[{"id":"a","when":"soon","x":1}]}"#)
        == [
          "m:2: after: 'when' is succeeded, finished, failed or cancelled, not 'soon'",
          "m:2: after: unknown field 'x'",
        ]
    )
  }

  @Test("Every identifier on a cycle is named, in order")
  func cycles() {
    #expect(
      errors(
        #"{"id":"z","run":["a"],"after":["a"]}"#,
        #"{"id":"a","run":["a"],"after":["b"]}"#,
        #"{"id":"b","run":["a"],"after":["c"]}"#,
        #"{"id":"c","run":["a"],"after":["a"]}"#
      ) == ["m:2: after: these operations wait for each other: a → b → c → a"]
    )
    #expect(
      errors(#"{"id":"a","run":["a"],"after":["a"]}"#) == [
        "m:1: after: 'a' waits for itself: a → a"
      ]
    )
  }

  @Test("What is not UTF-8, or UTF-16, is said to be so")
  func encodings() {
    let message = "bytes that are not UTF-8"
    #expect(
      errors(bytes("{\"run\":[\"") + [0xFF] + bytes("\"]}")) == ["m:1: column 10: " + message]
    )
    #expect(errors([0xFF, 0xFE, 0x7B, 0x00]) == ["m:1: column 1: " + message])
    #expect(errors(bytes("# ") + [0xE9]) == ["m:1: a comment with " + message])
  }

  @Test("A line over the limit is refused, and the others are still checked")
  func longLines() {
    let long = "{\"run\":[\"" + String(repeating: "x", count: 1_000) + "\"]}"
    #expect(
      errors(long, #"{"run":[]}"#) == [
        "m:1: it has more than 1000 bytes, the limit for an operation; pass long data in files",
        "m:2: run: the array is empty",
      ]
    )
  }

  /// Such a line may be all that was read of the manifest.
  @Test("A comment or a blank line over the limit is refused, too", arguments: ["#", " "])
  func longComments(byte: String) {
    let message = errors(String(repeating: byte, count: 1_001))
    #expect(message.map { $0.hasPrefix("m:1: it has more than 1000 bytes") } == [true])
    #expect(errors(String(repeating: byte, count: 1_000)).isEmpty)
  }

  @Test("Twenty errors are told, and the rest counted")
  func manyErrors() {
    let found = errors(bytes(Array(repeating: "{}", count: 50).joined(separator: "\n")))
    #expect(found.count == 21)
    #expect(found.first == "m:1: one of 'run', 'shell' and 'kind' is required")
    #expect(found.last == "… and 30 more")
  }
}

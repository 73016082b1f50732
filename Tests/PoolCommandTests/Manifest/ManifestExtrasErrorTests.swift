import PoolCommand
import Testing

@testable import PoolInputs

/// Contract: what is wrong with the fields that few lines have is named like everything else.
@Suite("Fields that few lines have, with errors")
struct ManifestExtrasErrorTests {
  private func errors(_ lines: String...) -> [String] {
    do {
      _ = try Manifest(bytes(lines.joined(separator: "\n")))
      return []
    } catch {
      return error.lines(file: bytes("m"))
    }
  }

  @Test(
    "A field with the wrong value is named",
    arguments: [
      (#""exclusive":1"#, "exclusive: expected a string or an array of strings, found a number"),
      (#""exclusive":[null]"#, "exclusive: expected a string in the array, found null"),
      (#""exclusive":"""#, "exclusive: a name is empty"),
      (#""exclusive":["a",""]"#, "exclusive: a name is empty"),
      (#""exclusive":["a","b","\u0061"]"#, "exclusive: 'a' is there twice"),
      (#""exclusive":"a","exclusive":"b""#, "exclusive: the field is there twice"),
      (#""constraint":1"#, "constraint: expected a string or an array of strings, found a number"),
      (#""constraint":[null]"#, "constraint: expected a string in the array, found null"),
      (
        #""constraint":"a b""#,
        "constraint: 'a b' is no feature: 1 to 64 letters, digits and ._-:="
      ),
      (
        #""constraint":["a",""]"#,
        "constraint: '' is no feature: 1 to 64 letters, digits and ._-:="
      ),
      (#""limit":["net"]"#, "limit: expected an object of integers, found an array"),
      (#""limit":{"":1}"#, "limit: a name is empty"),
      (#""limit":{"a":1,"a":1}"#, "limit: 'a' is there twice"),
      (#""limit":{"a":0}"#, "limit: expected an integer of at least 1 as the value of 'a'"),
      (#""limit":{"a":1.5}"#, "limit: expected an integer of at least 1 as the value of 'a'"),
      (
        #""limit":{"a":"2"}"#,
        "limit: expected an integer of at least 1 as the value of 'a', found a string"
      ),
      (#""slots":0"#, "slots: expected an integer of at least 1"),
      (#""slots":-3"#, "slots: expected an integer of at least 1"),
      (#""slots":2.5"#, "slots: expected an integer of at least 1"),
      (#""slots":true"#, "slots: expected an integer of at least 1, found a boolean"),
      (#""barrier":1"#, "barrier: expected true or false, found a number"),
      (#""barrier":"true""#, "barrier: expected true or false, found a string"),
      (#""group":["g"]"#, "group: expected a string, found an array"),
      (#""group":"""#, "group: must not be empty"),
      (#""group":"1""#, "group: '1' is the id of line 1"),
      (#""inputs":["a"]"#, "inputs: expected an object of ids, found an array"),
      (#""inputs":{"a":["b"]}"#, "inputs: expected an id as the value of 'a', found an array"),
      (#""inputs":{"":"b"}"#, "inputs: a name is empty"),
      (#""inputs":{"a":"b"}"#, "inputs: there is no operation 'b'"),
      (
        #""inputs":{"a-b":"b"}"#,
        "inputs: 'a-b' may have the letters a to z, digits and '_' only"
      ),
      (
        #""termSeq":["TERM"]"#,
        "termSeq: expected a string of steps and milliseconds, found an array"
      ),
      (#""termSeq":"TERM""#, "termSeq: its last step must be KILL"),
      (#""termSeq":"""#, "termSeq: '' is neither MESSAGE nor a signal"),
      (#""termSeq":"\u001b,1,KILL""#, #"termSeq: '\x1B' is neither MESSAGE nor a signal"#),
      (#""termSeq":"KILL","termSeq":"KILL""#, "termSeq: the field is there twice"),
      (#""termseq":"KILL""#, "termseq: unknown field; did you mean 'termSeq'?"),
      (#""expected":"1""#, "expected: expected a number of seconds above 0, found a string"),
      (#""expected":0"#, "expected: must be more than 0 seconds, and finite"),
      (#""expected":-1"#, "expected: must be more than 0 seconds, and finite"),
      (#""retryDelay":"1""#, "retryDelay: expected a number of seconds, found a string"),
      (#""retryDelay":-1"#, "retryDelay: must be 0 or more than 0 seconds, and finite"),
      (#""retryOn":7"#, "retryOn: expected a string or an array of strings, found a number"),
      (#""retryOn":["exit",7]"#, "retryOn: expected a string in the array, found a number"),
      (
        #""retryOn":"exit=0""#,
        "retryOn: expected \(RetryConditionError.expected), found 'exit=0'"
      ),
      (#""retryOn":[]"#, "retryOn: expected \(RetryConditionError.expected), found ''"),
      (#""expectd":1"#, "expectd: unknown field; did you mean 'expected'?"),
      (#""input":{}"#, "input: unknown field; did you mean 'inputs'?"),
    ]
  )
  func values(field: String, message: String) {
    #expect(errors("{\"run\":[\"a\"],\(field)}").first == "m:1: " + message)
  }

  @Test("A limit that has two numbers is named with both lines")
  func contradictingLimits() {
    #expect(
      errors(
        #"{"run":["a"],"limit":{"net":2,"db":1}}"#,
        #"{"run":["b"],"limit":{"db":1}}"#,
        "# comment",
        #"{"run":["c"],"limit":{"net":3}}"#
      ) == ["m:4: limit: 'net' is 3 here, but 2 on line 1"]
    )
  }

  @Test("A group that has the name of an operation is named once")
  func groupNames() {
    #expect(
      errors(
        #"{"run":["a"],"group":"b"}"#,
        #"{"run":["b"],"group":"b"}"#,
        #"{"id":"b","run":["c"]}"#
      ) == ["m:1: group: 'b' is the id of line 3"]
    )
  }

  @Test("What is wrong with inputs across lines is named")
  func inputs() {
    #expect(
      errors(
        #"{"run":["a"],"inputs":{"x":"g"}}"#,
        #"{"id":"b","run":["b"],"group":"g"}"#,
        #"{"run":["c"],"inputs":{"x":"b"},"after":[{"id":"b","when":"failed"}]}"#,
        #"{"run":["d"],"after":[{"id":"b","when":"finished"}],"inputs":{"x":"b"}}"#,
        #"{"run":["e"],"inputs":{"x":"b","x":"b"}}"#
      ) == [
        "m:1: inputs: 'g' is a group, which has no output",
        "m:3: inputs: 'b' must succeed, but 'after' says failed",
        "m:4: inputs: 'b' must succeed, but 'after' says finished",
        "m:5: inputs: 'x' is there twice",
      ]
    )
  }

  @Test("A contradiction within 'after' is no matter of the inputs of the same line")
  func contradictionBesideInputs() {
    #expect(
      errors(
        #"{"id":"a","run":["a"]}"#,
        #"{"run":["b"],"after":["a",{"id":"a","when":"failed"}],"inputs":{"x":"c"}}"#,
        #"{"id":"c","run":["c"]}"#
      ) == ["m:2: after: 'a' is there twice, once succeeded and once failed"]
    )
  }

  @Test("Ten thousand contradictions on one line are counted")
  func manyContradictions() {
    let numbers = 0..<10_000
    let sources = numbers.map { "{\"id\":\"a\($0)\",\"run\":[\"a\"]}" }
    let inputs = numbers.map { "\"i\($0)\":\"a\($0)\"" }.joined(separator: ",")
    let after = numbers.map { "{\"id\":\"a\($0)\",\"when\":\"failed\"}" }.joined(separator: ",")
    let line = "{\"run\":[\"b\"],\"inputs\":{\(inputs)},\"after\":[\(after)]}"
    let found = errors((sources + [line]).joined(separator: "\n"))
    #expect(found.first == "m:10001: inputs: 'a0' must succeed, but 'after' says failed")
    #expect(found.last == "… and 9980 more")
  }

  @Test("A line that breaks off leaves nothing behind that would be another line's")
  func unreadLines() {
    #expect(
      errors(
        #"{"run":["a"],"exclusive":"a","group":"g","slots":2,"inputs":{"x":"y"}"#,
        #"{"id":"b","run":["b"]}"#,
        #"{"run":["c"],"inputs":{"x":"b"},"after":[{"id":"b","when":"failed"}]}"#
      ) == [
        "m:1: column 70: the text ends too early",
        "m:3: inputs: 'b' must succeed, but 'after' says failed",
      ]
    )
  }
}

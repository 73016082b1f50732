import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// A message without what it needs is a violation that names the field; nothing else is.
@Suite("Message decoding")
struct MessageDecodingTests {
  /// The required fields of each type.
  private static let required: [(message: AnyMessage, fields: [String])] = [
    (.coordinator(.welcome(Welcome(worker: WorkerID(rawValue: 1)))), ["version", "worker"]),
    (.coordinator(.execute(example)), ["operation", "dispatch", "kind"]),
    (.coordinator(.cancel(exampleReference, .standard)), ["operation", "dispatch", "steps"]),
    (.coordinator(.recall(exampleReference)), ["operation", "dispatch"]),
    (.coordinator(.release(exampleReference)), ["operation", "dispatch"]),
    (.coordinator(.tail(exampleReference, TailRequest())), ["operation", "dispatch", "bytes"]),
    (.coordinator(.ping(1)), ["number"]),
    (.coordinator(.renewed(1)), ["number"]),
    (.coordinator(.grant(1)), ["bytes"]),
    (.coordinator(.stop(lease: 1)), ["lease"]),
    (.worker(.hello(Hello(pid: 1, kinds: []))), ["versions", "kinds"]),
    (.worker(.executing(exampleReference, nil)), ["operation", "dispatch"]),
    (
      .worker(.progress(exampleReference, PoolProgress(completed: 1, total: 2))),
      ["operation", "dispatch", "completed", "total"]
    ),
    (.worker(.log(exampleReference, Log(message: ""))), ["operation", "dispatch", "message"]),
    (
      .worker(.output(exampleReference, OutputChunk(isError: false, bytes: []))),
      ["operation", "dispatch", "stream", "bytes"]
    ),
    (.worker(.finished(exampleReference, Answer())), ["operation", "dispatch"]),
    (.worker(.cancelled(exampleReference, Answer(), step: nil)), ["operation", "dispatch"]),
    (.worker(.written(exampleReference, WrittenOutputs())), ["operation", "dispatch"]),
    (.worker(.returned(exampleReference)), ["operation", "dispatch"]),
    (.worker(.pong(1)), ["number"]),
    (.worker(.renew(1)), ["number"]),
  ]

  @Test(
    "Of an unknown type's name no more is kept than a report needs",
    arguments: [1, 79, 80, 81, 1 << 20]
  )
  func longType(count: Int) throws {
    let name = String(repeating: "é", count: count)
    let body = Array(#"{"type":"\#(name)"}"#.utf8)
    let message = try body.withUnsafeBytes { try WorkerMessage(body: $0) }
    let kept = count > 80 ? String(repeating: "é", count: 80) + "…" : name
    #expect(message == .unknown(kept))
  }

  private static let example = Execute(
    reference: exampleReference,
    attempt: 1,
    kind: "noop",
    payload: [0x30]
  )

  /// The body with a field of another name in place of this one, or with another value for it.
  private static func spoilt(_ message: AnyMessage, _ field: String, value: String?) throws
    -> [UInt8]
  {
    var object = try JSONTree(message.body)
    if let value {
      object.fields[field] = value
    } else {
      object.fields[field] = nil
    }
    return object.bytes
  }

  @Test("A required field that is missing, null or of another type is named")
  func requiredFields() throws {
    for (message, fields) in Self.required {
      let type = try JSONTree(message.body).fields["type"]?.dropFirst().dropLast()
      for field in fields {
        for value in [nil, "null", "{}", "true"] {
          let body = try Self.spoilt(message, field, value: value)
          let expected = Violation.field(field, inMessage: String(type ?? ""))
          #expect(throws: expected, "\(String(decoding: body, as: UTF8.self))") {
            try message.decodeLikewise(body)
          }
        }
      }
    }
  }

  @Test("What is not required may be absent: the rest of each message is read as it was")
  func unspoiltMessages() throws {
    for (message, _) in Self.required {
      #expect(try message.decodeLikewise(try JSONTree(message.body).bytes) == message)
    }
  }

  @Test(
    "A body without a type, or with one that is no string, lacks its type",
    arguments: ["{}", #"{"type":null}"#, #"{"type":7}"#, #"{"type":["ping"]}"#]
  )
  func missingType(body: String) {
    let expected = Violation.field("type", inMessage: "message")
    #expect(throws: expected.self) { try WorkerMessage(bytes: Array(body.utf8)) }
    #expect(throws: expected.self) { try CoordinatorMessage(bytes: Array(body.utf8)) }
  }

  @Test(
    "A body that is not one JSON object is not JSON to us",
    arguments: ["", "[]", "7", "{", "{}}", #"{"type":"drain"} x"#, #"{"type":"drain",}"#]
  )
  func notAnObject(body: String) {
    for decode in [
      { _ = try WorkerMessage(bytes: Array(body.utf8)) },
      { _ = try CoordinatorMessage(bytes: Array(body.utf8)) },
    ] {
      #expect {
        try decode()
      } throws: { error in
        guard case .notJSON = error as? Violation else { return false }
        return true
      }
    }
  }

  @Test("Optional fields of another type are violations too")
  func optionalFields() {
    let bodies = [
      ("attempt", #"{"type":"execute","operation":1,"dispatch":1,"kind":"a","attempt":"x"}"#),
      ("qos", #"{"type":"execute","operation":1,"dispatch":1,"kind":"a","qos":4}"#),
      ("name", #"{"type":"execute","operation":1,"dispatch":1,"kind":"a","name":["x"]}"#),
      ("queue", #"{"type":"execute","operation":1,"dispatch":1,"kind":"a","queue":1}"#),
      ("files", #"{"type":"welcome","version":1,"worker":1,"files":1}"#),
      ("frameLimit", #"{"type":"welcome","version":1,"worker":1,"frameLimit":1.5}"#),
    ]
    for (field, body) in bodies {
      #expect {
        try CoordinatorMessage(bytes: Array(body.utf8))
      } throws: { error in
        guard case .field(field, _) = error as? Violation else { return false }
        return true
      }
    }
  }

  /// A worker need not guess what an input is.
  @Test(
    "An input has exactly one of the three forms",
    arguments: [
      #"["a"]"#, #"{"a":1}"#, #"{"a":"text"}"#, #"{"a":{}}"#, #"{"a":{"text":"x"}}"#,
      #"{"a":{"json":1,"output":"x"}}"#, #"{"a":{"output":"x","file":"/y"}}"#,
      #"{"a":{"output":1}}"#, #"{"a":{"file":{"base64":"?"}}}"#, #"{"a":{"output":null}}"#,
      #"{"a":{"json":1},"b":{}}"#,
    ]
  )
  func inputForms(inputs: String) {
    let body = #"{"type":"execute","operation":1,"dispatch":1,"kind":"a","inputs":\#(inputs)}"#
    #expect(throws: Violation.field("inputs", inMessage: "execute")) {
      try CoordinatorMessage(bytes: Array(body.utf8))
    }
  }

  /// What most operations lack costs them nothing but the place to say so.
  @Test("An operation without names and inputs has no surroundings")
  func noSurroundings() throws {
    let bare = #"{"type":"execute","operation":1,"dispatch":1,"kind":"a""#
    for rest in ["}", #","qos":"utility"}"#, #","name":null,"inputs":{}}"#, #","more":[1]}"#] {
      let message = try CoordinatorMessage(bytes: Array((bare + rest).utf8))
      guard case .execute(let execute) = message else {
        Issue.record("unexpected \(message)")
        continue
      }
      #expect(execute.surroundings == nil)
    }
    #expect(MemoryLayout<Execute>.size <= 64)
  }

  @Test("Numbers keep all of their 64 bits, and one more is out of range")
  func wideNumbers() throws {
    let most = Array(#"{"type":"ping","number":18446744073709551615}"#.utf8)
    #expect(try CoordinatorMessage(bytes: most) == .ping(.max))
    for number in ["18446744073709551616", "-1", "1e3", "1.0"] {
      let body = Array(#"{"type":"ping","number":\#(number)}"#.utf8)
      #expect(throws: Violation.field("number", inMessage: "ping"), "\(number)") {
        try CoordinatorMessage(bytes: body)
      }
    }
  }

  @Test("A process without its group, or a group without its process, is none")
  func halfGroup() throws {
    for (fields, isWhole) in [
      (#""pid":5"#, false), (#""group":5"#, false), (#""pid":5,"group":null"#, false),
      (#""pid":5,"group":6"#, true),
    ] {
      let body = Array(#"{"type":"executing","operation":1,"dispatch":2,\#(fields)}"#.utf8)
      let message = try body.withUnsafeBytes { body throws(Violation) in
        try WorkerMessage(body: body)
      }
      guard case .executing(_, let process) = message else {
        Issue.record("\(message)")
        continue
      }
      #expect((process != nil) == isWhole, "\(fields)")
    }
  }

  @Test("Numbers of 64 bits are handed back digit for digit")
  func largeNumbers() throws {
    for number in [UInt64(1) << 53 + 1, .max] {
      let body = Array(#"{"type":"executing","operation":\#(number),"dispatch":\#(number)}"#.utf8)
      let message = try body.withUnsafeBytes { body throws(Violation) in
        try WorkerMessage(body: body)
      }
      guard case .executing(let reference, nil) = message else {
        Issue.record("\(message)")
        continue
      }
      #expect(reference.operation.rawValue == number && reference.dispatch.rawValue == number)
    }
  }
}

import PoolWire
import Testing

/// A command's payload is read as it was written, whatever bytes it holds.
@Suite("Command payload")
struct CommandPayloadTests {
  private func read(_ json: [UInt8]) throws(JSONError) -> CommandPayload {
    try json.withUnsafeBufferPointer { bytes throws(JSONError) in
      try CommandPayload(json: UnsafeRawBufferPointer(bytes))
    }
  }

  private static let payloads: [CommandPayload] = [
    CommandPayload(.run([Array("true".utf8)])),
    CommandPayload(.run([[], [0xFF], Array("\"\n".utf8)])),
    CommandPayload(.shell([])),
    CommandPayload(.shell([0x65, 0x80])),
    CommandPayload(
      .shell(Array("env".utf8)),
      directory: [0x2F, 0xFE],
      environment: [
        CommandPayload.Variable(name: Array("É".utf8), value: [0xC3]),
        CommandPayload.Variable(name: Array("B".utf8), value: []),
        CommandPayload.Variable(name: Array("A".utf8), value: Array("=\\".utf8)),
      ],
      standardInput: [0x00, 0xFF]
    ),
  ]

  @Test("What was written is read back, bytes that are not UTF-8 and the order of names included")
  func roundTrips() throws {
    for payload in Self.payloads { #expect(try read(payload.json) == payload) }
  }

  @Test("Nulls and unknown fields are passed over")
  func lenience() throws {
    let text = #"{"x":[1],"shell":"ls","run":null,"cwd":null,"env":null,"stdin":null}"#
    #expect(try read(Array(text.utf8)) == CommandPayload(.shell(Array("ls".utf8))))
  }

  @Test(
    "What is no command is refused",
    arguments: [
      "null", "[]", "{}", #"{"run":[]}"#, #"{"run":"ls"}"#, #"{"run":[7]}"#, #"{"shell":["ls"]}"#,
      #"{"shell":"ls","run":["ls"]}"#, #"{"shell":"ls","env":[]}"#, #"{"shell":"ls","cwd":1}"#,
      #"{"shell":"ls","env":{"A":null}}"#, #"{"shell":"ls"} x"#, #"{"shell":"ls""#,
    ]
  )
  func wrongPayloads(text: String) {
    #expect(throws: JSONError.self) { try read(Array(text.utf8)) }
  }
}

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
      standardInput: .bytes([0x00, 0xFF])
    ),
    CommandPayload(.shell([]), standardInput: .file(FilePart(path: [0x2F, 0xFF]))),
    CommandPayload(.shell([]), standardInput: .file(FilePart(path: [0x2F], range: 0..<0))),
    CommandPayload(.shell([]), standardInput: .file(FilePart(path: [], range: 1..<(1 << 62)))),
    CommandPayload(
      .shell([]),
      outputFiles: CommandPayload.OutputFiles(output: [0x2F, 0xFF], error: [0x61])
    ),
    CommandPayload(.shell([]), outputFiles: CommandPayload.OutputFiles(error: [0x61])),
  ]

  @Test("What was written is read back, bytes that are not UTF-8 and the order of names included")
  func roundTrips() throws {
    for payload in Self.payloads { #expect(try read(payload.json) == payload) }
    var nice = CommandPayload(.shell([]))
    nice.nice = 19
    #expect(try read(nice.json) == nice)
  }

  @Test("Nulls and unknown fields are passed over")
  func lenience() throws {
    let text =
      #"{"x":[1],"shell":"ls","run":null,"cwd":null,"env":null,"stdin":null,"nice":null,"#
      + #""stdout":null,"stderr":null}"#
    #expect(try read(Array(text.utf8)) == CommandPayload(.shell(Array("ls".utf8))))
  }

  @Test(
    "What is no command is refused",
    arguments: [
      "null", "[]", "{}", #"{"run":[]}"#, #"{"run":"ls"}"#, #"{"run":[7]}"#, #"{"shell":["ls"]}"#,
      #"{"shell":"ls","run":["ls"]}"#, #"{"shell":"ls","env":[]}"#, #"{"shell":"ls","cwd":1}"#,
      #"{"shell":"ls","env":{"A":null}}"#, #"{"shell":"ls","env":{"":"1"}}"#,
      #"{"shell":"ls","env":{"A=B":"1"}}"#, #"{"shell":"ls","env":{"A\u0000":"1"}}"#,
      #"{"shell":"ls"} x"#, #"{"shell":"ls""#,
      #"{"shell":"ls","stdin":{}}"#, #"{"shell":"ls","stdin":{"offset":0,"bytes":1}}"#,
      #"{"shell":"ls","stdin":{"file":"/f","offset":0}}"#,
      #"{"shell":"ls","stdin":{"file":"/f","offset":-1,"bytes":1}}"#,
      #"{"shell":"ls","stdin":{"file":"/f","offset":9223372036854775807,"bytes":1}}"#,
      #"{"shell":"ls","stdin":{"file":"/f","base64":7,"offset":"0"}}"#,
      #"{"shell":"ls","stdout":"/f"}"#, #"{"shell":"ls","stdout":{}}"#,
      #"{"shell":"ls","stderr":{"file":""}}"#,
      #"{"shell":"ls","nice":20}"#, #"{"shell":"ls","nice":-1}"#, #"{"shell":"ls","nice":"5"}"#,
    ]
  )
  func wrongPayloads(text: String) {
    #expect(throws: JSONError.self) { try read(Array(text.utf8)) }
  }

  /// Both sides of a pool, and shells, must mean the same variable.
  @Test(
    "An input's variable keeps ASCII letters, digits and underscores, and nothing else",
    arguments: [
      ("words", "OPOOL_INPUT_words"), ("A_9", "OPOOL_INPUT_A_9"), ("", "OPOOL_INPUT_"),
      ("a b-c.d/e", "OPOOL_INPUT_a_b_c_d_e"), ("é", "OPOOL_INPUT__"),
      ("\u{1F468}\u{200D}\u{1F467}", "OPOOL_INPUT____"), ("a=b\u{0}", "OPOOL_INPUT_a_b_"),
    ]
  )
  func inputVariables(name: String, variable: String) {
    #expect(CommandPayload.inputVariable(name) == variable)
  }

  @Test("Inputs that would share a variable are named, the first two of them")
  func collisions() {
    #expect(CommandPayload.collision(ofInputs: ["a", "A", "b"]) == nil)
    #expect(
      CommandPayload.collision(ofInputs: ["x", "a b", "y", "a-b", "a_b"])
        == "the inputs 'a b' and 'a-b' would both be OPOOL_INPUT_a_b"
    )
  }
}

import PoolCore
import PoolModel
import PoolWire
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: a valid manifest says of every operation what its line says, and what is executed
/// reaches the worker unchanged.
@Suite("A valid manifest")
struct ManifestTests {
  private func manifest(_ text: String) throws -> Manifest {
    try Manifest(bytes(text))
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  @Test("A row takes 48 bytes, because there may be a million")
  func sizes() {
    #expect(MemoryLayout<ManifestRow>.stride == 48)
    #expect(MemoryLayout<DependencyReference>.stride == 12)
  }

  @Test("Nothing, comments and blank lines make no operations")
  func empty() throws {
    #expect(try manifest("").count == 0)
    #expect(try manifest("\n# comment\n  \t\r\n   # another").count == 0)
  }

  @Test("A byte order mark, carriage returns and a missing last line feed are harmless")
  func lineEnds() throws {
    let manifest = try manifest("\u{FEFF}{\"run\":[\"a\"]}\r\n\r\n{\"run\":[\"b\"]}")
    #expect(manifest.count == 2)
    #expect(text(manifest.id(of: 0)) == "1")
    #expect(text(manifest.id(of: 1)) == "3")
    #expect(manifest.line(of: 1) == 3)
  }

  @Test("Fields have their defaults")
  func defaults() throws {
    let manifest = try manifest(#"{"run":["true"]}"#)
    #expect(text(manifest.id(of: 0)) == "1")
    #expect(text(manifest.name(of: 0)) == "1")
    #expect(manifest.priority(of: 0) == .normal)
    #expect(manifest.qualityOfService(of: 0) == .default)
    #expect(manifest.timeout(of: 0) == nil)
    #expect(manifest.retries(of: 0) == nil)
    #expect(manifest.kindName(of: 0) == CommandPayload.kind)
    #expect(Array(manifest.dependencies(of: 0)).isEmpty)
  }

  @Test("Fields have the values of the line")
  func values() throws {
    let manifest = try manifest(
      #"{"i\u0064":"a\u0062","name":"für \"x\"","kind":"hash","payload":[1, {"x":null}],"#
        + #""priority":7,"qos":"utility","timeout":0.25,"retries":3}"#
    )
    #expect(text(manifest.id(of: 0)) == "ab")
    #expect(text(manifest.name(of: 0)) == "für \"x\"")
    #expect(manifest.priority(of: 0) == .high)
    #expect(manifest.qualityOfService(of: 0) == .utility)
    #expect(manifest.timeout(of: 0) == 250_000_000)
    #expect(manifest.retries(of: 0) == 3)
    #expect(manifest.kindName(of: 0) == "hash")
    #expect(text(manifest.payload(of: 0)) == #"[1, {"x":null}]"#)
    #expect(manifest.actionText(of: 0) == #"hash [1, {"x":null}]"#)
  }

  @Test("A number is what JSON says", arguments: ["10", "1e1", "1E1", "1e+1", "0.1E+2", "100e-1"])
  func numbers(text: String) throws {
    let manifest = try manifest(#"{"id":"a","kind":"k","timeout":\#(text),"retries":\#(text)}"#)
    #expect(manifest.timeout(of: 0) == 10_000_000_000 && manifest.retries(of: 0) == 10)
  }

  @Test("Every priority and quality of service is understood by name", arguments: 0..<5)
  func names(index: Int) throws {
    let priority = PoolQueuePriority.allCases[index]
    let quality = PoolQualityOfService.allCases[index]
    let manifest = try manifest(
      "{\"shell\":\"\",\"priority\":\"\(priority.name)\",\"qos\":\"\(quality.name)\"}"
    )
    #expect(manifest.priority(of: 0) == priority)
    #expect(manifest.qualityOfService(of: 0) == quality)
  }

  @Test("An integer priority moves to the nearest level towards normal")
  func integerPriorities() throws {
    let cases: [(String, PoolQueuePriority)] = [
      ("-99999999999999999999", .veryLow), ("-5", .low), ("-3", .normal), ("0", .normal),
      ("4", .high), ("8", .veryHigh), ("99999999999999999999", .veryHigh),
    ]
    for (number, priority) in cases {
      let manifest = try manifest("{\"run\":[\"a\"],\"priority\":\(number)}")
      #expect(manifest.priority(of: 0) == priority, "\(number)")
    }
  }

  @Test("Dependencies may be earlier or later, and have what they require")
  func dependencies() throws {
    let manifest = try manifest(
      """
      {"id":"a","run":["a"],"after":["c",{"id":"b","when":"finished"}]}
      {"id":"b","run":["b"]}
      {"id":"c","run":["c"],"after":[{"when":"failed","id":"b"},"5"]}

      {"run":["d"],"after":[{"id":"\\u0062","when":"cancelled"}]}
      """
    )
    let found = (0..<4).map { operation in
      manifest.dependencies(of: operation).map { "\($0.target) \($0.requirement)" }
    }
    #expect(
      found == [
        ["2 succeeded", "1 finished"], [], ["1 failed", "3 succeeded"], ["1 cancelled"],
      ]
    )
    #expect((0..<4).map(manifest.level(of:)) == [3, 0, 2, 1])
  }

  @Test("A dependency that is named twice alike counts once")
  func repeatedDependency() throws {
    let manifest = try manifest(
      """
      {"id":"a","run":["a"]}
      {"run":["b"],"after":["a","a",{"id":"a"}]}
      {"run":["c"],"after":["a"]}
      """
    )
    #expect(manifest.dependencies(of: 1).map(\.target) == [0])
    #expect(manifest.dependencies(of: 2).map(\.target) == [0])
  }

  @Test("A command reaches the worker as it was written")
  func commands() throws {
    let manifest = try manifest(
      #"{"stdin":"x\n\u0000","run":["ls",{"base64":"/w=="},"a b"],"env":{"A":"1","B":"ü"},"#
        + #""after":[],"cwd":"/tmp","name":"n"}"# + "\n" + #"{"shell":"echo \"$A\"\nls"}"#
    )
    let first = try manifest.payload(of: 0).withUnsafeBytes { try CommandPayload(json: $0) }
    #expect(
      first
        == CommandPayload(
          .run([bytes("ls"), [0xFF], bytes("a b")]),
          directory: bytes("/tmp"),
          environment: [
            .init(name: bytes("A"), value: bytes("1")), .init(name: bytes("B"), value: bytes("ü")),
          ],
          standardInput: .bytes(bytes("x\n\0"))
        )
    )
    #expect(manifest.actionText(of: 0) == #"ls \xFF 'a b'"#)
    let second = try manifest.payload(of: 1).withUnsafeBytes { try CommandPayload(json: $0) }
    #expect(second == CommandPayload(.shell(bytes("echo \"$A\"\nls"))))
    #expect(manifest.actionText(of: 1) == #"echo "$A"\nls"#)
  }

  @Test("A constraint is a part of the kind, wherever it stands, in any order, each feature once")
  func constraints() throws {
    let manifest = try manifest(
      """
      {"constraint":"gpu","run":["a"]}
      {"kind":"k","constraint":["ssd","gpu","ssd"]}
      {"constraint":["gpu","ssd"],"kind":"k"}
      {"shell":"b","constraint":[]}
      {"constraint":["gpu"],"shell":"c"}
      """
    )
    let kinds = (0..<manifest.count).map { manifest.kinds[manifest.kindIndex(of: $0)] }
    let both = ConstrainedKind("k", requiring: ["gpu", "ssd"])
    let gpu = ConstrainedKind("command", requiring: ["gpu"])
    #expect(kinds == [gpu, both, both, ConstrainedKind("command"), gpu])
    #expect(manifest.kindName(of: 1) == "k" && manifest.isCommand(4))
    #expect(manifest.details(of: 2) == "constraint gpu, ssd")
  }

  @Test("A kind without a payload has null")
  func noPayload() throws {
    let manifest = try manifest(#"{"kind":"a"}"# + "\n" + #"{"kind":"b","payload":{}}"#)
    #expect(text(manifest.payload(of: 0)) == "null")
    #expect(text(manifest.payload(of: 1)) == "{}")
    #expect(manifest.actionText(of: 0) == "a")
    #expect(manifest.kinds.map(\.name) == ["command", "a", "b"])
  }

  @Test("A line of the limit is read, and ten thousand identifiers are told apart")
  func limits() throws {
    let line = #"{"run":["a"]}"#
    #expect(try Manifest(bytes(line), lineLimit: line.utf8.count).count == 1)
    let lines = (0..<10_000).map { number in
      "{\"id\":\"x\(number)\",\"run\":[\"a\"]"
        + (number > 0 ? ",\"after\":[\"x\(number * 7 % number)\",\"x\(number - 1)\"]}" : "}")
    }
    let manifest = try manifest(lines.joined(separator: "\n"))
    #expect(manifest.count == 10_000)
    #expect(manifest.order.levelCount == 10_000)
    for operation in 0..<10_000 {
      #expect(text(manifest.id(of: operation)) == "x\(operation)")
    }
  }
}

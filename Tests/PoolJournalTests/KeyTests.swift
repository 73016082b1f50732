import PoolJournal
import PoolModel
import PoolWire
import Testing

/// Contract: a key changes with what an operation is, and with nothing else.
@Suite("Keys")
struct KeyTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func key(_ content: OperationContent) -> ContentDigest {
    var keys = ContentKeys()
    return keys.key(of: content)
  }

  private func command(_ change: (inout CommandPayload) -> Void = { _ in }) -> ContentDigest {
    var payload = CommandPayload(
      .run([bytes("a"), bytes("b")]),
      directory: bytes("d"),
      environment: [.init(name: bytes("N"), value: bytes("v"))],
      standardInput: .bytes(bytes("i"))
    )
    change(&payload)
    return key(OperationContent(.command(payload)))
  }

  private func kind(_ name: String, _ payload: String) -> ContentDigest {
    key(OperationContent(.kind(bytes(name), payload: bytes(payload))))
  }

  /// Also where the same bytes only move from one part into its neighbour.
  @Test("Each part of a command makes another key")
  func commands() {
    let keys = [
      command(), command { $0.action = .run([bytes("ab")]) },
      command { $0.action = .run([bytes("b"), bytes("a")]) },
      command { $0.action = .run([bytes("a"), bytes("b"), []]) },
      command { $0.action = .shell(bytes("a b")) }, command { $0.action = .shell(bytes("ab")) },
      command { $0.directory = nil }, command { $0.directory = bytes("di") },
      command { $0.environment = [] },
      command { $0.environment[0].value = [] }, command { $0.environment[0].name = bytes("Nv") },
      command { $0.environment.append(.init(name: bytes("M"), value: [])) },
      command { $0.standardInput = .none }, command { $0.standardInput = .bytes([0xff]) },
      command { $0.standardInput = .file(FilePart(path: bytes("i"))) },
      command { $0.standardInput = .file(FilePart(path: bytes("i"), range: 0..<2)) },
      command { $0.standardInput = .file(FilePart(path: bytes("i"), range: 0..<3)) },
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test("No two operations have one idempotency key, in one run or in two")
  func idempotency() {
    let digests = ["a", "b"].map { SHA256.digest(of: bytes($0)) }
    let keys = (0..<3).flatMap { _ in
      let run = RunIdentifier()
      return (0..<300).map { run.key(ofOperation: $0) } + digests.map { run.key(of: $0) }
    }
    #expect(Set(keys).count == 3 * 302)
    let digits = Set("0123456789abcdef".utf8)
    #expect(keys.allSatisfy { $0.count == 32 && digits.isSuperset(of: $0) })
  }

  /// Where it is in the stream that was cut says nothing of it.
  @Test("A block is known by the digests of its pieces, in their order")
  func blocks() {
    func block(_ pieces: String...) -> ContentDigest {
      var content = OperationContent(.command(CommandPayload(.shell(bytes("a")))))
      content.standardInput = pieces.map { SHA256.digest(of: bytes($0)) }
      return key(content)
    }
    let keys = [block(), block("a"), block("b"), block("a", "b"), block("b", "a"), block("a", "a")]
    #expect(Set(keys).count == keys.count)
    #expect(block("a", "b") == block("a", "b"))
  }

  @Test("The order of variables makes no other key")
  func variables() {
    let first = CommandPayload.Variable(name: bytes("A"), value: bytes("1"))
    let second = CommandPayload.Variable(name: bytes("B"), value: bytes("2"))
    #expect(
      command { $0.environment = [first, second] } == command { $0.environment = [second, first] }
    )
  }

  @Test("A payload is known by its text without the white space between its values")
  func payloads() {
    #expect(kind("k", #"{"a": [1, "x  y\" z"]}"#) == kind("k", #"{"a":[1,"x  y\" z"]}"#))
    let keys = [
      kind("k", #"{"a":[1,"x y\" z"]}"#), kind("k", #"{"a":[1,"x  y\" z"]}"#),
      kind("l", #"{"a":[1,"x y\" z"]}"#), kind("k", #"["\\", " "]"#), kind("k", #"["\\", ""]"#),
      kind("k", "1"), kind("k1", ""),
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test("Dependencies count with how they must end, and their order does not")
  func dependencies() {
    func key(_ dependencies: [(String, PoolRequirement)], inputs: [(String, String)] = [])
      -> ContentDigest
    {
      self.key(
        OperationContent(
          .kind(bytes("k"), payload: bytes("1")),
          dependencies: dependencies.map { .init(SampleJournal.key($0.0), $0.1) },
          inputs: inputs.map { .init(bytes($0.0), from: SampleJournal.key($0.1)) }
        )
      )
    }
    let keys = [
      key([]), key([("a", .succeeded)]), key([("a", .finished)]), key([("b", .succeeded)]),
      key([("a", .succeeded), ("b", .succeeded)]),
      key([("a", .succeeded)], inputs: [("x", "a")]),
      key([("a", .succeeded)], inputs: [("y", "a")]),
      key([("a", .succeeded)], inputs: [("x", "a"), ("y", "a")]),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(
      key([("a", .succeeded), ("b", .failed)], inputs: [("x", "a"), ("y", "b")])
        == key([("b", .failed), ("a", .succeeded)], inputs: [("y", "b"), ("x", "a")])
    )
  }

  @Test("Identical operations are told apart by a running number")
  func identical() {
    let content = OperationContent(.kind(bytes("k"), payload: bytes("1")))
    var first = ContentKeys()
    var second = ContentKeys()
    let three = (0..<3).map { _ in first.key(of: content) }
    #expect(Set(three).count == 3)
    #expect((0..<2).map { _ in second.key(of: content) } == Array(three.prefix(2)))
  }

  @Test("A group is known by its members, in any order")
  func groups() {
    var keys = ContentKeys()
    let (first, second) = (SampleJournal.key("a"), SampleJournal.key("b"))
    #expect(keys.key(ofGroup: [first, second]) == keys.key(ofGroup: [second, first]))
    #expect(keys.key(ofGroup: [first, second]) != keys.key(ofGroup: [first]))
    #expect(keys.key(ofGroup: [first]) != keys.key(ofGroup: []))
  }

  /// Journals of earlier versions stay readable only as long as this key is what it is.
  @Test("The key of a known command is the one that earlier versions gave it")
  func stability() {
    let known = "62f46c60a0843dd14e4c2b138c34901057ba6da2500a34817fe359fd8d2a96fb"
    #expect(command().description == known)
  }
}

import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// What a worker reads: operations are taken together, and what most of them have in common is read
/// once.
@Suite("A coordinator's stream")
struct CoordinatorStreamTests {
  /// Messages of a few kinds and attempts, most like the one before, some of them not in their
  /// usual form.
  private func bodies(_ generator: inout SeededGenerator) -> [String] {
    var kind = "a"
    var attempt = 1
    return (0..<60).map { number in
      if Int.random(in: 0..<4, using: &generator) == 0 {
        kind = ["a", "b", "a\\u0062", "ab", "é"].randomElement(using: &generator) ?? kind
        attempt = [1, 2, 10].randomElement(using: &generator) ?? attempt
      }
      let start = "{\"type\":\"execute\",\"operation\":\(number),\"dispatch\":\(number + 1)"
      let middle = ",\"attempt\":\(attempt),\"kind\":\"\(kind)\""
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: return start + middle + ", \"payload\":[1]}\n"
      case 1: return start + middle + ",\"payload\":[1],\"name\":\"x\"}\n"
      case 2: return "{\"type\":\"recall\",\"operation\":\(number),\"dispatch\":\(number + 1)}\n"
      case 3: return "{\"type\":\"drain\"}\n"
      default: return start + middle + ",\"payload\":[\(number)]}\n"
      }
    }
  }

  private func stream(_ bodies: [String]) -> [UInt8] {
    bodies.flatMap { body in
      let count = UInt32(body.utf8.count)
      return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + Array(body.utf8)
    }
  }

  @Test("Each message is what it is alone, in the order of the stream, however that is cut")
  func messages() throws {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bodies = bodies(&generator)
      let expected = try bodies.map { body in
        try Array(body.utf8).withUnsafeBytes { try CoordinatorMessage(scanning: $0) }
      }
      var decoder = FrameDecoder(preamble: .none)
      var (messages, rest) = ([CoordinatorMessage](), stream(bodies)[...])
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1..<400, using: &generator))
        rest = rest.dropFirst(piece.count)
        piece.withUnsafeBytes { decoder.append($0) }
        messages += try takeAll(&decoder)
      }
      #expect(messages == expected, "seed \(seed)")
    }
  }

  /// Operations that are returned as messages would be taken for something else.
  private func takeAll(_ decoder: inout FrameDecoder) throws -> [CoordinatorMessage] {
    var messages: [CoordinatorMessage] = []
    while true {
      var operations: [Execute] = []
      let message = try decoder.nextCoordinatorMessage(after: &operations)
      messages += operations.map { .execute($0) }
      guard let message else { return messages }
      if case .execute = message { Issue.record("an operation was returned") }
      messages.append(message)
    }
  }

  /// The second of them is not compared with the first, which is too long to be kept.
  @Test("Kinds of any length are read, again and again")
  func longKinds() throws {
    for count in [JSONWriter.usualLimit - 40, JSONWriter.usualLimit, 1 << 20] {
      let kind = String(repeating: "k", count: count)
      let bodies = (1...3).map { number in
        "{\"type\":\"execute\",\"operation\":1,\"dispatch\":\(number),\"attempt\":1"
          + ",\"kind\":\"\(kind)\",\"payload\":\(number)}\n"
      }
      var decoder = FrameDecoder(preamble: .none)
      stream(bodies).withUnsafeBytes { decoder.append($0) }
      var operations: [Execute] = []
      let message = try decoder.nextCoordinatorMessage(after: &operations)
      #expect(message == nil)
      #expect(operations.map(\.kind) == [kind, kind, kind])
      #expect(operations.map(\.payload) == [[0x31], [0x32], [0x33]])
    }
  }

  @Test("Operations that came before nonsense are there when it is found")
  func nonsense() {
    let bodies = [#"{"type":"execute","operation":1,"dispatch":1,"kind":"k"}"# + "\n", "{"]
    var decoder = FrameDecoder(preamble: .none)
    stream(bodies).withUnsafeBytes { decoder.append($0) }
    var operations: [Execute] = []
    #expect(throws: Violation.self) {
      _ = try decoder.nextCoordinatorMessage(after: &operations)
    }
    #expect(operations.map(\.kind) == ["k"])
  }
}

import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// The messages that are put together at once are those that are written piece by piece.
@Suite("Usual frames")
struct UsualFrameTests {
  private func frame(_ body: String) -> [UInt8] {
    let count = UInt32(body.utf8.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + Array(body.utf8)
  }

  private func reference(_ generator: inout SeededGenerator) -> DispatchReference {
    // Numbers of every length.
    DispatchReference(
      operation: OperationID(
        rawValue: generator.next() >> UInt64.random(in: 0..<64, using: &generator)
      ),
      dispatch: DispatchNumber(
        rawValue: generator.next() >> UInt64.random(in: 0..<64, using: &generator)
      )
    )
  }

  private func header(_ type: String, _ reference: DispatchReference) -> String {
    let (operation, dispatch) = (reference.operation.rawValue, reference.dispatch.rawValue)
    return "{\"type\":\"\(type)\",\"operation\":\(operation),\"dispatch\":\(dispatch)"
  }

  @Test("each is, byte for byte, what the protocol says, after whatever was written before it")
  func bytes() {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var (writer, expected) = (JSONWriter(), [UInt8]())
      for _ in 0..<4 {
        let reference = reference(&generator)
        let payload =
          "\"\(String(repeating: "é", count: Int.random(in: 0..<900, using: &generator)))\""
        let kind = String(repeating: "k", count: Int.random(in: 1..<40, using: &generator))
        let attempt = Int.random(in: 1...Int.max, using: &generator)
        let isExecute = writer.frame(
          execute: reference,
          attempt: attempt,
          kind: kind,
          payload: Array(payload.utf8)
        )
        expected += frame(
          header("execute", reference)
            + ",\"attempt\":\(attempt),\"kind\":\"\(kind)\",\"payload\":\(payload)}\n"
        )
        writer.frame(executing: reference)
        expected += frame(header("executing", reference) + "}\n")
        let isFinished = writer.frame(finished: reference, result: Array(payload.utf8))
        #expect(isExecute && isFinished)
        expected += frame(header("finished", reference) + ",\"result\":\(payload)}\n")
        let next = self.reference(&generator)
        let areBoth = writer.frames(
          finished: reference,
          result: Array(payload.utf8),
          executing: next
        )
        #expect(areBoth)
        expected += frame(header("finished", reference) + ",\"result\":\(payload)}\n")
        expected += frame(header("executing", next) + "}\n")
        CoordinatorMessage.ping(7).encode(into: &writer)
        expected += frame("{\"type\":\"ping\",\"number\":7}\n")
      }
      #expect(writer.bytes == expected, "seed \(seed)")
    }
  }

  /// Digits are written two at a time.
  @Test("Every number of digits is written as it is")
  func digits() {
    let powers = sequence(first: UInt64(1)) { $0 > .max / 10 ? nil : $0 * 10 }
    for number in powers.flatMap({ [$0 - 1, $0, $0 + 1, $0 / 2 * 3] }) + [.max] {
      let reference = DispatchReference(
        operation: OperationID(rawValue: number),
        dispatch: DispatchNumber(rawValue: number)
      )
      var writer = JSONWriter()
      writer.frame(executing: reference)
      #expect(writer.bytes == frame(header("executing", reference) + "}\n"))
    }
  }

  @Test("a kind that needs escapes, and what is long, are left to the pieces, with nothing written")
  func unusual() {
    var writer = JSONWriter()
    let long = [UInt8](repeating: UInt8(ascii: "1"), count: JSONWriter.usualLimit + 1)
    for kind in ["a\"b", "a\\b", "a\nb"] {
      let isUsual = writer.frame(execute: exampleReference, attempt: 1, kind: kind, payload: [0x31])
      #expect(!isUsual)
    }
    let isExecute = writer.frame(execute: exampleReference, attempt: 1, kind: "a", payload: long)
    let isFinished = writer.frame(finished: exampleReference, result: long)
    let areBoth = writer.frames(
      finished: exampleReference,
      result: long,
      executing: exampleReference
    )
    #expect(!isExecute && !isFinished && !areBoth)
    #expect(writer.bytes.isEmpty)
    let message = CoordinatorMessage.execute(
      Execute(reference: exampleReference, attempt: 1, kind: "a\"b", payload: long)
    )
    message.encode(into: &writer)
    let body = Array(writer.bytes.dropFirst(4))
    #expect(body.withUnsafeBytes { try? CoordinatorMessage(scanning: $0) } == message)
  }
}

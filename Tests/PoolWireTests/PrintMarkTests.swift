import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// Contract: marks divide what a worker prints, however the pipe divides it, and nothing else does.
@Suite("Print marks")
struct PrintMarkTests {
  private let mark = PrintMark(number: 0x0123_4567_89AB_CDEF)

  private func reference(_ operation: UInt64, _ dispatch: UInt64) -> DispatchReference {
    DispatchReference(
      operation: OperationID(rawValue: operation),
      dispatch: DispatchNumber(rawValue: dispatch)
    )
  }

  /// What is found, with neighbouring text put together, where the bytes come in pieces.
  private func scan(_ bytes: [UInt8], pieces: Int) -> [PrintMarkScanner.Piece] {
    var scanner = PrintMarkScanner(mark)
    var found: [PrintMarkScanner.Piece] = []
    func note(_ piece: PrintMarkScanner.Piece) {
      if case .text(let more) = piece, case .text(let text) = found.last {
        found[found.count - 1] = .text(text + more)
      } else {
        found.append(piece)
      }
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      piece.withUnsafeBytes { scanner.scan($0, note) }
    }
    let pending = scanner.takePending()
    if !pending.isEmpty { note(.text(pending[...])) }
    return found
  }

  private func words(_ pieces: [PrintMarkScanner.Piece]) -> [String] {
    pieces.map { piece in
      switch piece {
      case .text(let text): String(decoding: text, as: UTF8.self)
      case .end(let reference):
        "end of \(reference.operation.rawValue), \(reference.dispatch.rawValue)"
      }
    }
  }

  @Test("A mark is as long as it is said to be, and readable", arguments: [0, 7, .max] as [UInt64])
  func form(_ number: UInt64) {
    let bytes = mark.bytes(of: reference(number, number))
    #expect(bytes.count == PrintMark.count)
    #expect(words(scan(bytes, pieces: bytes.count)) == ["end of \(number), \(number)"])
  }

  @Test("The form of a mark is that of the protocol")
  func wording() {
    let text = "\u{1E}opool 0123456789abcdef 000000000000000a 00000000000000ff\n"
    #expect(mark.bytes(of: reference(10, 255)) == Array(text.utf8))
  }

  @Test("Text and marks are found in pieces of any size", arguments: 1...130)
  func pieces(_ size: Int) {
    let bytes =
      Array("a\u{1E}b\nc".utf8) + mark.bytes(of: reference(1, 2)) + mark.bytes(of: reference(3, 4))
      + Array("d\u{1E}opool 01234".utf8)
    #expect(
      words(scan(bytes, pieces: size)) == [
        "a\u{1E}b\nc", "end of 1, 2", "end of 3, 4", "d\u{1E}opool 01234",
      ]
    )
  }

  @Test(
    "What only resembles a mark is text, in pieces of any size",
    arguments: [1, 5, 57, 58, 59, 500]
  )
  func resemblance(_ size: Int) {
    let other = PrintMark(number: 1).bytes(of: reference(1, 2))
    var signed = mark.bytes(of: reference(1, 2))
    signed[24] = UInt8(ascii: "+")
    var open = mark.bytes(of: reference(1, 2))
    open[57] = UInt8(ascii: " ")
    let bytes = other + signed + open + [0x1E, 0x1E] + Array("end".utf8)
    #expect(scan(bytes, pieces: size) == [.text(bytes[...])])
  }

  @Test("A mark right behind half a mark is found")
  func halfMark() {
    let half = Array(mark.bytes(of: reference(9, 9)).prefix(30))
    let bytes = half + mark.bytes(of: reference(1, 2))
    for size in [1, 7, 30, 31, 88] {
      #expect(scan(bytes, pieces: size) == [.text(half[...]), .end(reference(1, 2))])
    }
  }
}

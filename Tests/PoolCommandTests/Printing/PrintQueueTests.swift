import OperationPool
import PoolContents
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolReports

/// What waits to be printed.
@Suite("Print queue")
struct PrintQueueTests {
  private func output(_ number: Int, _ byteCount: Int = 1) -> Printer.Item {
    let bytes = [UInt8](repeating: 120, count: byteCount)
    return .outputs(number: number, OutputPair(output: .inline(bytes), error: .empty))
  }

  /// What is taken, by name.
  private func take(_ limit: Int, from queue: inout PrintQueue) -> [String] {
    queue.take(limit).items.map(name)
  }

  private func name(_ item: Printer.Item) -> String {
    switch item {
    case .outputs(let number, _, _), .attempt(let number, _, _), .group(let number, _, _, _):
      "\(number)"
    case .piece(let piece): String(decoding: piece.bytes, as: UTF8.self)
    case .receipt(let receipt): "\(receipt.operations)"
    case .message(let bytes), .commands(let bytes): String(decoding: bytes, as: UTF8.self)
    case .lines(let lines), .errorLines(let lines): "\(lines.inlineCount) bytes of lines"
    }
  }

  @Test("Items come in order, and messages that follow one another come as one")
  func order() {
    var queue = PrintQueue()
    _ = queue.append(output(1))
    _ = queue.append(message: Array("a".utf8))
    _ = queue.append(message: Array("b".utf8))
    _ = queue.append(output(2))
    _ = queue.append(message: Array("c".utf8))
    #expect(queue.count == 4)
    let first = take(3, from: &queue)
    #expect(first == ["1", "ab", "2"])
    _ = queue.append(message: Array("d".utf8))
    let rest = take(3, from: &queue)
    #expect(rest == ["cd"])
    #expect(queue.isEmpty && queue.byteCount == 0)
    let nothing = take(3, from: &queue)
    #expect(nothing == [])
  }

  @Test("It is full at so many items once, and has room once when few are left")
  func fullByCount() {
    var queue = PrintQueue()
    for number in 1...PrintQueue.fullCount {
      let isFull = queue.append(output(number))
      #expect(isFull == (number == PrintQueue.fullCount))
    }
    let isFullAgain = queue.append(output(0))
    #expect(!isFullAgain && queue.isHolding)
    var hasRoom: [Bool] = []
    while !queue.isEmpty { hasRoom.append(queue.take(1).hasRoom) }
    #expect(hasRoom.firstIndex(of: true) == PrintQueue.fullCount - PrintQueue.roomyCount)
    #expect(hasRoom.count { $0 } == 1 && !queue.isHolding)
  }

  @Test("It is full at so many bytes, whether of outputs, lines or messages")
  func fullByBytes() {
    let half = PrintQueue.fullByteCount / 2
    var queue = PrintQueue()
    let isFull = [
      queue.append(output(1, half)),
      queue.append(.lines(LineBatch([UInt8](repeating: 10, count: half - 1)))),
      queue.append(message: [10]),
    ]
    #expect(isFull == [false, false, true])
    let hasRoom = [queue.take(1).hasRoom, queue.take(1).hasRoom]
    #expect(hasRoom == [false, true])
  }

  private func piece(_ text: String, of number: Int, isError: Bool = false) -> LivePiece {
    LivePiece(number: number, stream: isError ? .error : .output, bytes: Array(text.utf8))
  }

  @Test("Pieces of one output that follow one another come as one, up to 64 KiB")
  func pieces() {
    var queue = PrintQueue()
    _ = queue.append(piece("a", of: 1))
    _ = queue.append(piece("b", of: 1))
    _ = queue.append(piece("c", of: 1, isError: true))
    _ = queue.append(piece("d", of: 2))
    _ = queue.append(message: Array("m".utf8))
    _ = queue.append(piece("e", of: 2))
    _ = queue.append(piece("f", of: 2))
    _ = queue.append(output(2))
    _ = queue.append(piece("g", of: 2))
    let taken = take(20, from: &queue)
    #expect(taken == ["ab", "c", "d", "m", "ef", "2", "g"])
    #expect(queue.isEmpty && queue.byteCount == 0)
    let half = String(repeating: "x", count: 33 << 10)
    for _ in 0..<3 { _ = queue.append(piece(half, of: 1)) }
    #expect(queue.count == 3)
  }

  /// They have no open files.
  @Test("Many small pieces do not fill the queue, but many bytes of them do")
  func fullByPieces() {
    var queue = PrintQueue()
    for number in 0..<PrintQueue.fullCount * 4 { _ = queue.append(piece("x", of: number)) }
    #expect(!queue.isHolding && !queue.isOverfull)
    for number in 0..<PrintQueue.fullCount { _ = queue.append(output(number)) }
    #expect(queue.isHolding)
    var roomAt: [Int] = []
    while !queue.isEmpty { if queue.take(1).hasRoom { roomAt.append(queue.count) } }
    #expect(roomAt == [PrintQueue.roomyCount])
    let large = String(repeating: "x", count: PrintQueue.fullByteCount)
    let isFull = queue.append(piece(large, of: 1))
    #expect(isFull && !queue.isOverfull)
    for number in 0..<16 { _ = queue.append(piece(large, of: number)) }
    #expect(queue.isOverfull)
  }

  /// As an array whose beginning is removed would not be.
  @Test("Two hundred thousand items take no more than their number", .timeLimit(.minutes(30)))
  func linear() {
    var queue = PrintQueue()
    for number in 0..<200_000 { _ = queue.append(output(number)) }
    var next = 0
    while !queue.isEmpty {
      for item in queue.take(1).items {
        guard case .outputs(next, _, _) = item else {
          Issue.record("not \(next)")
          return
        }
        next += 1
      }
    }
    #expect(next == 200_000)
  }

  @Test("It holds what a plain list would", arguments: RandomSeeds.first(20))
  func model(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = PrintQueue()
    var model = ""
    for number in 0..<2_000 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        _ = queue.append(message: Array("<\(number)>".utf8))
        model += "<\(number)>"
      case 1:
        _ = queue.append(output(number))
        model += "\(number)"
      default:
        let taken = queue.take(Int.random(in: 0..<5, using: &generator)).items.map(name).joined()
        #expect(model.hasPrefix(taken))
        model.removeFirst(taken.count)
      }
      #expect(queue.isEmpty == model.isEmpty)
    }
    let rest = take(10_000, from: &queue)
    #expect(rest.joined() == model)
  }
}

import OperationPool
import PoolSystem
import PoolTestSupport
import Testing

@testable import PoolCommand

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
    case .outputs(let number, _): "\(number)"
    case .message(let bytes), .lines(let bytes), .errorLines(let bytes):
      String(decoding: bytes, as: UTF8.self)
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
      queue.append(.lines([UInt8](repeating: 10, count: half - 1))),
      queue.append(message: [10]),
    ]
    #expect(isFull == [false, false, true])
    let hasRoom = [queue.take(1).hasRoom, queue.take(1).hasRoom]
    #expect(hasRoom == [false, true])
  }

  /// As an array whose beginning is removed would not be.
  @Test("Two hundred thousand items take no more than their number", .timeLimit(.minutes(10)))
  func linear() {
    var queue = PrintQueue()
    for number in 0..<200_000 { _ = queue.append(output(number)) }
    var next = 0
    while !queue.isEmpty {
      for item in queue.take(1).items {
        guard case .outputs(next, _) = item else {
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

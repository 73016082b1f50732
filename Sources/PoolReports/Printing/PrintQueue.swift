import PoolContents

/// Items that wait to be printed, in order.
///
/// The cost of adding and taking does not depend on the number of items. The queue reports when it
/// is full and when it has room again. Callers pause between the two, so that memory stays flat
/// when a stream is read slowly. Consecutive messages become one item.
struct PrintQueue {
  /// Number of items that fill the queue; each can be two open files.
  static let fullCount = 128
  /// Number of bytes in memory that fill it: 4 MiB.
  static let fullByteCount = 4 << 20
  /// Number of items with which it has room again.
  static let roomyCount = 16
  static let roomyByteCount = 512 << 10
  /// Number of bytes that no paused callers can have added: 64 MiB.
  static let overfullByteCount = 64 << 20
  /// Number of bytes of pieces that become one item: 64 KiB.
  private static let pieceLimit = 64 << 10
  /// Number of bytes of messages that become one item: 64 KiB.
  private static let messageLimit = 64 << 10

  /// Those before `first` were taken.
  private var items: [Printer.Item?] = []
  private var first = 0
  /// Messages after all items.
  private var messages: [UInt8] = []
  /// Number of bytes in memory of the waiting items.
  private(set) var byteCount = 0
  /// Whether the queue was full, and has had no room since.
  private(set) var isHolding = false

  /// Number of waiting items that are pieces, which have no files.
  private var pieceCount = 0
  /// Number of the others.
  private var fileItemCount: Int { count - pieceCount }

  /// Number of waiting items.
  var count: Int { items.count - first + (messages.isEmpty ? 0 : 1) }
  /// Whether more waits than paused callers can have added.
  var isOverfull: Bool { byteCount >= Self.overfullByteCount }
  var isEmpty: Bool { items.count == first && messages.isEmpty }

  /// Adds an item at the end; returns whether the queue became full by that.
  mutating func append(_ item: Printer.Item) -> Bool {
    endMessages()
    items.append(item)
    byteCount += item.byteCount
    return noteFull()
  }

  /// Adds a piece of a live output at the end, to the last item if that is of the same output;
  /// returns whether the queue became full by that.
  mutating func append(_ piece: LivePiece) -> Bool {
    guard messages.isEmpty, items.count > first, case .piece(var last)? = items[items.count - 1],
      last.number == piece.number, last.stream == piece.stream,
      last.bytes.count + piece.bytes.count <= Self.pieceLimit
    else {
      pieceCount += 1
      return append(.piece(piece))
    }
    // So that the bytes have one owner, and are not copied.
    items[items.count - 1] = nil
    last.bytes += piece.bytes
    items[items.count - 1] = .piece(last)
    byteCount += piece.bytes.count
    return noteFull()
  }

  /// Adds a message at the end; returns whether the queue became full by that.
  mutating func append(message bytes: [UInt8]) -> Bool {
    if messages.count + bytes.count > Self.messageLimit { endMessages() }
    messages += bytes
    byteCount += bytes.count
    return noteFull()
  }

  /// Takes at most `limit` first items, and returns whether the queue has room again by that.
  mutating func take(_ limit: Int) -> (items: [Printer.Item], hasRoom: Bool) {
    if items.count - first < limit { endMessages() }
    let end = min(first + limit, items.count)
    var taken: [Printer.Item] = []
    taken.reserveCapacity(end - first)
    for index in first..<end {
      guard let item = items[index] else { continue }
      items[index] = nil
      byteCount -= item.byteCount
      if !item.mayHaveFiles { pieceCount -= 1 }
      taken.append(item)
    }
    first = end
    forgetTaken()
    let hasRoom = isHolding && fileItemCount <= Self.roomyCount && byteCount <= Self.roomyByteCount
    if hasRoom { isHolding = false }
    return (taken, hasRoom)
  }

  /// Makes an item of the messages so far.
  private mutating func endMessages() {
    guard !messages.isEmpty else { return }
    items.append(.message(messages))
    messages = []
  }

  /// Removes the places of taken items when they are as many as the others.
  private mutating func forgetTaken() {
    guard first * 2 >= items.count else { return }
    items.removeFirst(first)
    first = 0
  }

  private mutating func noteFull() -> Bool {
    guard !isHolding, fileItemCount >= Self.fullCount || byteCount >= Self.fullByteCount else {
      return false
    }
    isHolding = true
    return true
  }
}

extension Printer.Item {
  /// Memory of a piece beside its bytes.
  private static let pieceOverhead = 128

  /// Whether it may have open files.
  fileprivate var mayHaveFiles: Bool {
    if case .piece = self { false } else { true }
  }

  /// Number of its bytes in memory.
  fileprivate var byteCount: Int {
    switch self {
    case .outputs(_, let pair, _), .group(_, let pair, _, _), .attempt(_, let pair, _):
      pair.output.inlineCount + pair.error.inlineCount
    case .piece(let piece): piece.bytes.count + Self.pieceOverhead
    case .receipt(let receipt): receipt.operations.count * MemoryLayout<Int>.stride
    case .message(let bytes), .commands(let bytes): bytes.count
    case .lines(let lines), .errorLines(let lines): lines.inlineCount
    }
  }
}

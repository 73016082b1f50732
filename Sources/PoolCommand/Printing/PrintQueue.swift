import OperationPool

/// What waits to be printed, in order.
///
/// Adding and taking cost the same however much waits. The queue says when it is full and when it
/// has room again; whoever adds to it holds back between the two, so that memory stays flat when a
/// stream is read slowly. Messages that follow one another become one item.
struct PrintQueue {
  /// At how many items the queue is full; each can be two open files.
  static let fullCount = 128
  /// At how many bytes in memory it is full: 4 MiB.
  static let fullByteCount = 4 << 20
  /// With how much it has room again.
  static let roomyCount = 16
  static let roomyByteCount = 512 << 10
  /// How many bytes of messages become one item: 64 KiB.
  private static let messageLimit = 64 << 10

  /// Those before `first` were taken.
  private var items: [Printer.Item?] = []
  private var first = 0
  /// Messages behind all items.
  private var messages: [UInt8] = []
  /// How many bytes of what waits are in memory.
  private(set) var byteCount = 0
  /// Whether the queue has been full, and has had no room since.
  private(set) var isHolding = false

  /// How many items wait.
  var count: Int { items.count - first + (messages.isEmpty ? 0 : 1) }
  var isEmpty: Bool { items.count == first && messages.isEmpty }

  /// Adds an item at the end; returns whether the queue has become full by that.
  mutating func append(_ item: Printer.Item) -> Bool {
    endMessages()
    items.append(item)
    byteCount += item.byteCount
    return noteFull()
  }

  /// Adds a message at the end; returns whether the queue has become full by that.
  mutating func append(message bytes: [UInt8]) -> Bool {
    if messages.count + bytes.count > Self.messageLimit { endMessages() }
    messages += bytes
    byteCount += bytes.count
    return noteFull()
  }

  /// Takes the first items, so many at most, and says whether the queue has room again by that.
  mutating func take(_ limit: Int) -> (items: [Printer.Item], hasRoom: Bool) {
    if items.count - first < limit { endMessages() }
    let end = min(first + limit, items.count)
    var taken: [Printer.Item] = []
    taken.reserveCapacity(end - first)
    for index in first..<end {
      guard let item = items[index] else { continue }
      items[index] = nil
      byteCount -= item.byteCount
      taken.append(item)
    }
    first = end
    forgetTaken()
    let hasRoom = isHolding && count <= Self.roomyCount && byteCount <= Self.roomyByteCount
    if hasRoom { isHolding = false }
    return (taken, hasRoom)
  }

  /// The messages so far become an item.
  private mutating func endMessages() {
    guard !messages.isEmpty else { return }
    items.append(.message(messages))
    messages = []
  }

  /// Gives back the places of what was taken, once these are as many as those that are in use.
  private mutating func forgetTaken() {
    guard first * 2 >= items.count else { return }
    items.removeFirst(first)
    first = 0
  }

  private mutating func noteFull() -> Bool {
    guard !isHolding, count >= Self.fullCount || byteCount >= Self.fullByteCount else {
      return false
    }
    isHolding = true
    return true
  }
}

extension Printer.Item {
  /// How many bytes of it are in memory.
  fileprivate var byteCount: Int {
    switch self {
    case .outputs(_, let pair): pair.output.inlineCount + pair.error.inlineCount
    case .message(let bytes), .lines(let bytes), .errorLines(let bytes): bytes.count
    }
  }
}

extension OutputContent {
  fileprivate var inlineCount: Int {
    guard case .inline(let bytes) = self else { return 0 }
    return bytes.count
  }
}

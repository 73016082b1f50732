/// A receiver of workers' lines, in order, which must not be made to wait.
protocol LinePrinter: AnyObject, Sendable {
  /// Whether so much is waiting that workers must wait; then the closure is called when that ends.
  ///
  /// All callers of a printer pass closures that do the same: only the last is called.
  func isFull(else whenRoom: @escaping @Sendable () -> Void) -> Bool
}

/// The number of bytes that wait in a printer, and whether it is too full: from 256 KiB on, until
/// it is back to half.
///
/// Workers that are about to end are read anyway: their text is dropped if 4 MiB are waiting.
struct PrinterLoad {
  private static let limit = 256 << 10
  private static let mostBytes = 4 << 20

  private var byteCount = 0
  private(set) var isFull = false

  /// Adds bytes; returns whether there is room for them.
  mutating func add(_ count: Int) -> Bool {
    guard byteCount == 0 || byteCount + count <= Self.mostBytes else { return false }
    byteCount += count
    if byteCount >= Self.limit { isFull = true }
    return true
  }

  /// Removes bytes; returns whether there is room again.
  mutating func remove(_ count: Int) -> Bool {
    byteCount -= count
    guard isFull, byteCount <= Self.limit / 2 else { return false }
    isFull = false
    return true
  }
}

/// The load of a printer, and what is to be done when it has room again.
struct PrinterRoom {
  private var load = PrinterLoad()
  private var whenRoom: (@Sendable () -> Void)?

  /// Whether it is too full; then the closure is what ``remove(_:)`` returns when that ends.
  mutating func isFull(else whenRoom: @escaping @Sendable () -> Void) -> Bool {
    if load.isFull { self.whenRoom = whenRoom }
    return load.isFull
  }

  /// Adds bytes; returns whether there is room for them.
  mutating func add(_ count: Int) -> Bool { load.add(count) }

  /// Removes bytes; returns what is to be done if there is room again.
  mutating func remove(_ count: Int) -> (@Sendable () -> Void)? {
    load.remove(count) ? whenRoom.take() : nil
  }
}

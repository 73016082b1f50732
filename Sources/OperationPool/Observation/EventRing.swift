/// The latest events that were not read, in order: a ring that grows up to ``capacity``.
///
/// Events are moved, never copied: copying one costs more than everything else here.
struct EventRing<Element>: ~Copyable {
  /// Maximum number of events.
  static var capacity: Int { 16_384 }

  private var places = UnsafeMutableBufferPointer<Element>(start: nil, count: 0)
  private var head = 0
  private(set) var count = 0

  init() {}

  deinit {
    for offset in 0..<count { places.deinitializeElement(at: index(offset)) }
    places.deallocate()
  }

  /// Adds an event; returns the oldest one if there was no room for both.
  ///
  /// The caller releases that outside of locks: it may be the last reference to an operation.
  mutating func append(_ event: consuming Element) -> Element? {
    let oldest = count == Self.capacity ? popFirst() : nil
    if count == places.count { grow() }
    places.initializeElement(at: index(count), to: event)
    count += 1
    return oldest
  }

  /// Removes the oldest event.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let event = places.moveElement(from: head)
    head = index(1)
    count -= 1
    return event
  }

  /// The index of an event, counted from the oldest; the ring's length is a power of two.
  private func index(_ offset: Int) -> Int { (head + offset) & (places.count - 1) }

  private mutating func grow() {
    let longer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(4, places.count * 2))
    for offset in 0..<count {
      longer.initializeElement(at: offset, to: places.moveElement(from: index(offset)))
    }
    places.deallocate()
    places = longer
    head = 0
  }
}

/// `@unchecked`: the ring belongs to the buffer alone.
extension EventRing: @unchecked Sendable where Element: Sendable {}

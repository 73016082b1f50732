/// Values of one type side by side, in memory that is not shared.
///
/// An array in its place is asked with each change whether it is shared, and what is
/// read from it may be copied first; the hot path would pay for that dozens of times an operation.
/// Indices are checked as an array's are.
struct Slab<Handle: SlabHandle, Element>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private(set) var capacity: Int

  init() {
    capacity = 0
    start = .allocate(capacity: 0)
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }

  /// The places that are taken, in order.
  var indices: some RandomAccessCollection<Handle> { (0..<count).lazy.map { Handle($0) } }

  /// The value in a place; there must be one.
  ///
  /// Accessors that give an address: as coroutines (`_read`), some callers would allocate a frame.
  subscript(handle: Handle) -> Element {
    @inline(__always) unsafeAddress { UnsafePointer(address(of: handle)) }
    @inline(__always) unsafeMutableAddress { address(of: handle) }
  }

  /// Where the value in a place lies, until the slab grows.
  @inline(__always)
  func address(of handle: Handle) -> UnsafeMutablePointer<Element> {
    let offset = handle.offset
    precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "the handle is in range")
    return start + offset
  }

  /// Makes room for so many in all.
  mutating func reserveCapacity(_ needed: Int) {
    guard needed > capacity else { return }
    let room = UnsafeMutablePointer<Element>.allocate(capacity: needed)
    room.moveInitialize(from: start, count: count)
    start.deallocate()
    (start, capacity) = (room, needed)
  }

  /// Adds a value at the end, and tells its place; amortised O(1).
  @discardableResult
  mutating func append(_ element: consuming Element) -> Handle {
    if count == capacity { reserveCapacity(max(4, capacity * 2)) }
    (start + count).initialize(to: element)
    count += 1
    return Handle(count - 1)
  }

  /// Puts a value in a place that is taken, or behind all others.
  mutating func put(_ element: consuming Element, at handle: Handle) {
    if handle.offset == count {
      append(element)
    } else {
      self[handle] = element
    }
  }

  /// Combines all values in order.
  func reduce<Value>(_ initial: Value, _ combine: (Value, Element) -> Value) -> Value {
    var value = initial
    for index in indices { value = combine(value, self[index]) }
    return value
  }
}

// Unchecked because of the pointer: it has one owner, since a slab cannot be copied.
extension Slab: @unchecked Sendable where Element: Sendable {}

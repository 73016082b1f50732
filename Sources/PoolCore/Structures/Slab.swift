/// Values of one type side by side, in memory that is not shared.
///
/// An array would check at each change whether its memory is shared, and might copy what is read;
/// the hot path would pay for that dozens of times for each operation. Handles are bounds-checked
/// like an array's indices.
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

  /// The handles of all values, in order.
  var indices: some RandomAccessCollection<Handle> { (0..<count).lazy.map { Handle($0) } }

  /// The value of a handle, which must exist.
  ///
  /// These accessors give an address: with coroutines (`_read`), some callers would allocate a
  /// frame.
  subscript(handle: Handle) -> Element {
    @inline(__always) unsafeAddress { UnsafePointer(address(of: handle)) }
    @inline(__always) unsafeMutableAddress { address(of: handle) }
  }

  /// The address of a value, valid until the slab grows.
  @inline(__always)
  func address(of handle: Handle) -> UnsafeMutablePointer<Element> {
    let offset = handle.offset
    precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "the handle is in range")
    return start + offset
  }

  /// Makes room for this total number of values.
  mutating func reserveCapacity(_ needed: Int) {
    guard needed > capacity else { return }
    let room = UnsafeMutablePointer<Element>.allocate(capacity: needed)
    room.moveInitialize(from: start, count: count)
    start.deallocate()
    (start, capacity) = (room, needed)
  }

  /// Appends a value; returns its handle; amortised O(1).
  @discardableResult
  mutating func append(_ element: consuming Element) -> Handle {
    if count == capacity { reserveCapacity(max(4, capacity * 2)) }
    (start + count).initialize(to: element)
    count += 1
    return Handle(count - 1)
  }

  /// Replaces the value of a handle, or appends one for the next handle.
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

/// The places of the values of a JSON text, in memory that the next text uses again.
struct ParsedEntries: ~Copyable {
  /// Small, because one is stored for each value and each key.
  struct Entry {
    private var start: Int32
    private var end: Int32
    private var nextEntry: Int32
    private var container: Int32
    /// The number of the part that it stands for; -1 for none.
    var part: Int32 = -1
    var kind: JSONScanner.Token
    /// Whether it is a string or key whose content differs from its bytes.
    var hasEscapes = false
    /// Whether it is an array of numbers only, whose elements get entries only if they are read one
    /// by one.
    var isNumbers = false
    /// Whether nothing has checked yet that it is UTF-8.
    var isUnchecked = false

    @inline(__always)
    init(kind: JSONScanner.Token, range: Range<Int>, next: Int, parent: Int) {
      self.kind = kind
      start = Int32(truncatingIfNeeded: range.lowerBound)
      end = Int32(truncatingIfNeeded: range.upperBound)
      nextEntry = Int32(truncatingIfNeeded: next)
      container = Int32(truncatingIfNeeded: parent)
    }

    /// Its place in the text; for strings and keys, without the quotes.
    var range: Range<Int> {
      @inline(__always) get { Range(uncheckedBounds: (Int(start), Int(end))) }
      set { (start, end) = (Int32(newValue.lowerBound), Int32(newValue.upperBound)) }
    }

    /// The number of the entry after it and its content.
    var next: Int {
      @inline(__always) get { Int(nextEntry) }
      set { nextEntry = Int32(newValue) }
    }

    /// The number of its container.
    var parent: Int { Int(container) }

    /// Its place in the text, with the quotes of a string.
    var fullRange: Range<Int> {
      kind == .string ? range.lowerBound - 1..<range.upperBound + 1 : range
    }
  }

  /// Entries whose memory is kept for the next text.
  private static let usualCapacity = 1_024

  private(set) var count = 0
  private var capacity = 16
  private var memory = UnsafeMutablePointer<Entry>.allocate(capacity: 16)

  deinit { memory.deallocate() }

  /// The entry with this number, which must exist.
  subscript(index: Int) -> Entry {
    @inline(__always) unsafeAddress {
      precondition(index >= 0 && index < count)
      return UnsafePointer(memory + index)
    }
    @inline(__always) unsafeMutableAddress {
      precondition(index >= 0 && index < count)
      return memory + index
    }
  }

  @inline(__always)
  mutating func append(_ entry: Entry) {
    if count == capacity { grow(to: 2 * capacity) }
    (memory + count).initialize(to: entry)
    count += 1
  }

  /// Removes all entries.
  mutating func removeAll() { count = 0 }

  /// Removes all entries, and the memory of many.
  mutating func shrink() {
    count = 0
    if capacity > Self.usualCapacity { grow(to: 16) }
  }

  /// Moves the entries to memory for this number of them.
  @inline(never)
  private mutating func grow(to newCapacity: Int) {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
    larger.moveInitialize(from: memory, count: count)
    memory.deallocate()
    (memory, capacity) = (larger, newCapacity)
  }
}

/// A checked JSON text, with the places of its values.
///
/// Only the UTF-8 of its strings is checked later: when they are read, or by ``isUTF8``.
///
/// Values are numbered in the order of the text. The number of a container precedes those of its
/// content; in an object, each key precedes its value.
final class ParsedText {
  typealias Entry = ParsedEntries.Entry

  // Only one value's code reads at a time, on one thread, and none of these is passed to it.
  @exclusivity(unchecked) private(set) var bytes: [UInt8] = []
  @exclusivity(unchecked) var entries = ParsedEntries()
  /// Whether only Foundation's coder can handle a request or a part of the text.
  @exclusivity(unchecked) var isUnusual = false
  /// Where to look for the next key first: most keys are read in the order of the text.
  @exclusivity(unchecked) var hint = 0
  /// Number of further failed key comparisons allowed, before Foundation takes over.
  @exclusivity(unchecked) private var patience = 0
  private let foreign: ForeignTypes
  /// Number of strings that nothing has checked yet to be UTF-8.
  @exclusivity(unchecked) var uncheckedCount = 0
  /// Number of parts met so far.
  @exclusivity(unchecked) var partCount = 0
  /// The elements of arrays of numbers that are read one by one, which follow all other entries.
  @exclusivity(unchecked) private var numbers: [Int: Range<Int>] = [:]

  /// Its parts beside the text, if it is packed.
  @exclusivity(unchecked) private(set) var packed: PackedValue?

  /// An empty text, until ``parse(_:)``.
  init(foreign: ForeignTypes) {
    self.foreign = foreign
  }

  /// Parses a JSON text or a packed value, in the memory of the text before it; there must be no
  /// other reference to this object.
  func parse(_ bytes: [UInt8]) throws {
    guard PackedValue.isPacked(bytes) else { return try parse(bytes, nil) }
    let packed = try PackedValue(bytes)
    try parse(Array(packed.bytes[packed.text]), packed)
    guard partCount == packed.parts.count else {
      throw PackedError("part \(partCount) is at no 'null' of its text")
    }
  }

  private func parse(_ bytes: [UInt8], _ packed: PackedValue?) throws {
    // Places are stored in 32 bits.
    guard bytes.count < Int32.max else { throw unusual() }
    self.bytes = bytes
    self.packed = packed
    (isUnusual, hint, uncheckedCount, partCount) = (false, 0, 0, 0)
    if !numbers.isEmpty { numbers = [:] }
    entries.removeAll()
    try bytes.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      try add(&scanner, in: 0, depth: 0)
      try scanner.expectEnd()
    }
    patience = 4_096 + 16 * entries.count
  }

  /// Releases the text, and the memory of a large one.
  func clear() {
    bytes = []
    packed = nil
    entries.shrink()
  }

  /// Decodes the value with this number by its own code.
  func value<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if entries[index].isNumbers, let numbers = NumberArrays.known(type) {
      return try cast(read(numbers, at: index))
    }
    if foreign.includes(type) {
      return try cast(foreign.value(type, ForeignSource(text: self, index: index)))
    }
    return try Value(from: PlainDecoder(text: self, index: index))
  }

  /// Apart from its callers, because each call of a function with an optional of a generic type
  /// looks up the optional's metadata first.
  @inline(never)
  private func cast<Value>(_ value: Any?) throws -> Value {
    guard let value = value as? Value else { throw unusual() }
    return value
  }

  /// Reads an array of numbers as a whole.
  private func read(_ type: any NumberArray.Type, at index: Int) -> (any NumberArray)? {
    let entry = entries[index]
    if let (packed, part) = part(of: entry) {
      return packed.withContent(of: part) { type.read($0, of: part.type) }
    }
    return bytes.withUnsafeBytes {
      type.read(UnsafeRawBufferPointer(rebasing: $0[entry.range]))
    }
  }

  private func part(of entry: Entry) -> (PackedValue, PackedValue.Part)? {
    guard entry.part >= 0, let packed else { return nil }
    return (packed, packed.parts[Int(entry.part)])
  }

  /// The bytes of a part that is base64 in the text.
  func bytes(of entry: Entry) -> [UInt8]? {
    guard let (packed, part) = part(of: entry), part.type.form == .bytes else { return nil }
    return packed.withContent(of: part) { Array($0) }
  }

  /// The content of a string that is a part.
  private func text(of entry: Entry) -> String {
    guard let (packed, part) = part(of: entry), part.type.form == .text else {
      // Base64 read as a string needs the exact text.
      isUnusual = true
      return ""
    }
    return packed.withContent(of: part) { String(decoding: $0, as: UTF8.self) }
  }

  /// The numbers of an array's elements and of their content.
  func elements(of array: Int) -> Range<Int> {
    guard entries[array].isNumbers else { return array + 1..<entries[array].next }
    // Elements that are read one by one, as any type, need the exact text.
    if entries[array].part >= 0 {
      isUnusual = true
      return 0..<0
    }
    if let known = numbers[array] { return known }
    let first = entries.count
    bytes.withUnsafeBytes { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[entries[array].range]))
      let offset = entries[array].range.lowerBound
      var isFirst = true
      // The text was checked before.
      guard (try? scanner.beginArray()) != nil else { return }
      while (try? scanner.hasElement(&isFirst)) == true, let start = try? scanner.numberStart() {
        let range = start + offset..<scanner.position + offset
        entries.append(Entry(kind: .number, range: range, next: entries.count + 1, parent: array))
      }
    }
    numbers[array] = first..<entries.count
    return first..<entries.count
  }

  /// Records that Foundation's coder must take over, even if the value's code catches the error.
  func unusual() -> UnusualRequest {
    isUnusual = true
    return UnusualRequest()
  }

  /// Looks up a key of an object: returns the number of its value, or nil.
  func value(of key: String, in object: Int) throws -> Int? {
    let (first, end) = (object + 1, entries[object].next)
    var index = hint > object && hint < end && entries[hint].parent == object ? hint : first
    let start = index
    while first < end {
      if matches(key, entries[index].range) {
        hint = index
        return index + 1
      }
      patience -= 1
      index = entries[index + 1].next
      if index == end { index = first }
      if index == start { break }
    }
    // Keys in another order than in the text need a search each.
    guard patience > 0, key.utf8.allSatisfy({ $0 < 0x80 }) else { throw unusual() }
    return nil
  }

  private func matches(_ key: String, _ range: Range<Int>) -> Bool {
    guard key.utf8.count == range.count else { return false }
    var key = key
    return key.withUTF8 { key in
      bytes.withUnsafeBytes {
        JSONScanner($0).holds(UnsafeRawBufferPointer(key), at: range.lowerBound)
      }
    }
  }

  /// The content of a string or key.
  func string(at index: Int) -> String {
    let entry = entries[index]
    if entry.part >= 0 { return text(of: entry) }
    let range = JSONStringRange(range: entry.range, hasEscapes: entry.hasEscapes)
    let text = bytes.withUnsafeBytes { JSONScanner($0).validText(of: range) }
    guard let text else {
      isUnusual = true
      return ""
    }
    noteChecked(index)
    return text
  }

  /// A string is known to be UTF-8.
  func noteChecked(_ index: Int) {
    guard entries[index].isUnchecked else { return }
    entries[index].isUnchecked = false
    uncheckedCount -= 1
  }

  /// Whether the strings that were not read are UTF-8, too.
  var isUTF8: Bool {
    guard uncheckedCount > 0 else { return true }
    return bytes.withUnsafeBufferPointer { bytes in
      (0..<entries.count).allSatisfy { index in
        let entry = entries[index]
        return !entry.isUnchecked
          || UTF8Check.isValid(UnsafeBufferPointer(rebasing: bytes[entry.range]))
      }
    }
  }
}

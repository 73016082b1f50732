/// A JSON text that is being written, and its open containers.
///
/// The text is written from start to end: a container accepts values while it is the innermost one;
/// using an outer one closes those inside it.
final class JSONEncodingState {
  /// An open container.
  private struct Level {
    /// Distinguishes it from other containers at the same depth.
    var serial: Int
    var isObject: Bool
    /// The index of its first key among those of all open objects.
    var firstKey: Int
    var count = 0
    /// Whether one of its keys is not ASCII.
    var hasForeignKey = false
  }

  // Only one value's code writes at a time, on one thread, and none of these is passed to it.
  @exclusivity(unchecked) var writer = JSONWriter(capacity: usualText)
  /// Whether only Foundation's coder can handle a request.
  @exclusivity(unchecked) var isUnusual = false
  private let foreign: ForeignTypes
  /// The parts beside the text; nil if the text must contain everything.
  @exclusivity(unchecked) private(set) var builder: PackedBuilder?
  @exclusivity(unchecked) private var levels: [Level] = []
  /// The places of the keys of all open objects with few keys; behind ``keyCount``, of closed ones.
  @exclusivity(unchecked) private var keys: [Range<Int>] = []
  /// A number of its own, because removing keys costs more than most values.
  @exclusivity(unchecked) private var keyCount = 0
  /// The keys of objects with many keys, by serial number.
  @exclusivity(unchecked) private var known: [Int: Set<String>] = [:]
  @exclusivity(unchecked) private var serial = 0
  /// Number of refused elements of each array, so that code that asks for the count goes on as
  /// usual.
  @exclusivity(unchecked) private var refusedCounts: [Int: Int] = [:]
  /// Whether a value must follow.
  @exclusivity(unchecked) private var awaitsValue = true

  init(foreign: ForeignTypes, packs: Bool) {
    self.foreign = foreign
    builder = packs ? PackedBuilder() : nil
    keys.reserveCapacity(Self.fewKeys)
    levels.reserveCapacity(4)
  }

  /// Begins another value in the same memory; there must be no other reference to this object.
  func restart() {
    writer.removeAll()
    isUnusual = false
    if builder?.isEmpty == false { builder = PackedBuilder() }
    // Most values have closed all of them.
    if !levels.isEmpty { levels.removeAll(keepingCapacity: true) }
    keyCount = 0
    if !known.isEmpty { known = [:] }
    if !refusedCounts.isEmpty { refusedCounts = [:] }
    awaitsValue = true
  }

  /// A container, which is open while its level is the current one at its depth.
  struct Place {
    var depth: Int
    var serial: Int
  }

  /// Encodes a value by its own code.
  func value<Value: Encodable>(_ value: Value) throws {
    guard awaitsValue, !isUnusual else { return refuse() }
    if let numbers = NumberArrays.known(value) { return write(numbers) }
    guard !foreign.includes(Value.self) else { return write(foreign.form(value)) }
    let depth = levels.count
    do {
      try value.encode(to: PlainEncoder(text: self))
    } catch {
      // What it has written would stay if the caller catches the error.
      refuse()
      throw error
    }
    // The value wrote nothing: only Foundation knows the replacement.
    if awaitsValue { refuse() }
    close(to: depth)
  }

  /// Writes an array of numbers; if JSON has no such number, Foundation describes the error.
  private func write(_ numbers: any NumberArray) {
    guard levels.count < JSONScanner.depthLimit else { return refuse() }
    let (type, count) = numbers.packed
    if takesPart(count) {
      var isValid = true
      if type.form == .float { numbers.withBytes { isValid = type.isValid($0) } }
      return isValid ? part(type, count) { numbers.withBytes($0) } : refuse()
    }
    awaitsValue = false
    if !numbers.write(to: &writer) { refuse() }
  }

  /// Writes a value of a foreign type.
  private func write(_ form: ForeignTypes.Form?) {
    switch form {
    case .bytes(let count, let pass) where takesPart(count):
      part(PackedType(.bytes, width: 1), count, pass)
    case .bytes(_, let pass): pass { bytes in scalar { $0.base64(bytes) } }
    case .text(let text): scalar { $0.string(text) }
    case .json(let json): scalar { $0.raw(json) }
    case nil: refuse()
    }
  }

  /// Writes a string.
  func string(_ text: String) {
    // Counting a text that is not native is costly, but few are.
    guard builder != nil, takesPart(text.utf8.count) else { return scalar { $0.string(text) } }
    var native = text
    native.makeContiguousUTF8()
    part(PackedType(.text, width: 1), native.utf8.count) { [native] body in
      var native = native
      native.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }

  /// Whether content of this size goes beside the text.
  private func takesPart(_ count: Int) -> Bool { builder?.takes(count) ?? false }

  /// Writes a value whose content is beside the text.
  private func part(
    _ type: PackedType,
    _ count: Int,
    _ pass: @escaping ((UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    guard awaitsValue else { return refuse() }
    awaitsValue = false
    writer.null()
    let offset = writer.bytes.count - PackedValue.placeholder.utf8CodeUnitCount
    builder?.add(type, count, at: offset, pass)
  }

  /// The text, or the packed value; nil if only Foundation's coder can write it.
  consuming func finish() -> [UInt8]? {
    guard !isUnusual else { return nil }
    guard let builder, !builder.isEmpty else { return writer.bytes }
    return builder.packed(writer.bytes)
  }

  /// Like `finish()`, but another value may follow.
  ///
  /// A short text is copied, so that it takes no more memory than its length, and the original
  /// memory is used for the next value.
  func finishOne() -> [UInt8]? {
    guard !isUnusual else { return nil }
    if let builder, !builder.isEmpty { return builder.packed(writer.bytes) }
    guard writer.bytes.count <= Self.shortText else {
      defer { writer = JSONWriter(capacity: Self.usualText) }
      return writer.bytes
    }
    return writer.bytes.withUnsafeBufferPointer { Array($0) }
  }

  /// Writes a value that is not a container.
  func scalar(_ write: (inout JSONWriter) -> Void) {
    guard awaitsValue else { return refuse() }
    awaitsValue = false
    write(&writer)
  }

  func refuse() {
    isUnusual = true
    awaitsValue = false
  }

  // MARK: - Containers

  /// Opens a container in the place of a value.
  func open(isObject: Bool) -> Place {
    // A second container for the same value adds to the first, which may be closed.
    if !awaitsValue || levels.count == JSONScanner.depthLimit { refuse() }
    awaitsValue = false
    if isObject { writer.beginObject() } else { writer.beginArray() }
    serial += 1
    levels.append(Level(serial: serial, isObject: isObject, firstKey: keyCount))
    return Place(depth: levels.count, serial: serial)
  }

  /// Begins a field of an object; its value must follow.
  func begin(_ key: String, in place: Place) {
    guard isOpen(place) else { return refuse() }
    let start = writer.bytes.count
    writer.key(key)
    awaitsValue = true
    // A comma precedes the key, unless it is the first.
    let level = levels[place.depth - 1]
    let range = (level.firstKey == keyCount ? start : start + 1)..<writer.bytes.count
    if !isNew(range, in: level) { refuse() }
  }

  /// Begins an element of an array; its value must follow.
  func beginElement(in place: Place) {
    guard isOpen(place) else {
      refusedCounts[place.serial, default: 0] += 1
      return refuse()
    }
    levels[place.depth - 1].count += 1
    awaitsValue = true
  }

  /// Number of elements of the array.
  func count(in place: Place) -> Int {
    let refused = isUnusual ? refusedCounts[place.serial] ?? 0 : 0
    guard place.depth <= levels.count, levels[place.depth - 1].serial == place.serial else {
      refuse()
      return refused
    }
    return levels[place.depth - 1].count + refused
  }

  /// Makes the container the innermost one; false if it is closed.
  private func isOpen(_ place: Place) -> Bool {
    guard !isUnusual, !awaitsValue, place.depth <= levels.count,
      levels[place.depth - 1].serial == place.serial
    else { return false }
    if levels.count > place.depth { close(to: place.depth) }
    return true
  }

  /// Whether the innermost container, an object, lacks this key; adds it.
  private func isNew(_ range: Range<Int>, in level: Level) -> Bool {
    let own = level.firstKey..<keyCount
    if own.count == Self.fewKeys {
      // Starts with the earlier keys, from the text.
      return known[level.serial, default: Set(own.map { text(of: keys[$0]) })]
        .insert(text(of: range)).inserted
    }
    if level.hasForeignKey || !isASCII(range) {
      // Equal keys may differ in their bytes.
      levels[levels.count - 1].hasForeignKey = true
      if own.contains(where: { text(of: keys[$0]) == text(of: range) }) { return false }
    } else {
      for other in own where keys[other].count == range.count {
        if writer.bytes[keys[other]] == writer.bytes[range] { return false }
      }
    }
    if keyCount < keys.count { keys[keyCount] = range } else { keys.append(range) }
    keyCount += 1
    return true
  }

  /// Bytes that most texts do not exceed.
  private static let usualText = 256
  /// Bytes that are copied rather than given away with their memory.
  private static let shortText = 1_024

  /// With more keys, a set is faster than comparing each.
  private static let fewKeys = 16

  /// Whether the bytes are ASCII; may say no because of up to seven bytes before them, which makes
  /// looking at eight at once simple.
  @inline(__always)
  private func isASCII(_ range: Range<Int>) -> Bool {
    writer.bytes.withUnsafeBytes { bytes in
      var end = range.upperBound
      while end > range.lowerBound {
        guard end >= 8 else { return bytes[..<end].allSatisfy { $0 < 0x80 } }
        end -= 8
        let word = bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 != 0 { return false }
      }
      return true
    }
  }

  private func text(of range: Range<Int>) -> String {
    String(decoding: writer.bytes[range], as: UTF8.self)
  }

  private func close(to depth: Int) {
    while levels.count > depth, let level = levels.popLast() {
      keyCount = level.firstKey
      if level.isObject { writer.endObject() } else { writer.endArray() }
    }
  }
}

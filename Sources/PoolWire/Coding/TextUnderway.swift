/// A JSON text that is being written, and the containers in it that are open.
///
/// The text is written from its start to its end: a container may be written to while it is the
/// innermost one, and going back to one that is around it closes what is inside.
final class TextUnderway {
  /// A container that is open.
  private struct Level {
    /// Tells it from others that were open at the same depth.
    var serial: Int
    var isObject: Bool
    /// Where its keys begin among those of all open objects.
    var firstKey: Int
    var count = 0
  }

  // One value's code writes at a time, on one thread, and none of these is lent to it.
  @exclusivity(unchecked) var writer = JSONWriter(capacity: 256)
  /// Whether something was asked for that only Foundation's coder does.
  @exclusivity(unchecked) var isUnusual = false
  private let foreign: PlainCoder.ForeignTypes
  @exclusivity(unchecked) private var levels: [Level] = []
  /// Where the keys of all open objects lie in the text, while an object has few.
  @exclusivity(unchecked) private var keys: [Range<Int>] = []
  /// The keys of objects that have many, by their serial numbers.
  @exclusivity(unchecked) private var known: [Int: Set<String>] = [:]
  @exclusivity(unchecked) private var serial = 0
  /// Whether a value must come next, and none has come.
  @exclusivity(unchecked) private var awaitsValue = true

  init(foreign: @escaping PlainCoder.ForeignTypes) {
    self.foreign = foreign
    keys.reserveCapacity(Self.fewKeys)
    levels.reserveCapacity(4)
  }

  /// Where a container is: it is open as long as this is the level at its depth.
  struct Place {
    var depth: Int
    var serial: Int
  }

  /// Writes a whole value by its own code, where one may stand.
  func value<Value: Encodable>(_ value: Value) throws {
    guard awaitsValue, !isUnusual, !foreign(Value.self) else { return refuse() }
    let depth = levels.count
    try value.encode(to: PlainEncoder(text: self))
    // Where nothing came, Foundation knows what stands for it.
    if awaitsValue { refuse() }
    close(to: depth)
  }

  /// Writes a value that is no container.
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

  /// Opens a container where a value must stand.
  func open(isObject: Bool) -> Place {
    // A second container for the same value adds to the first, which may have been closed.
    if !awaitsValue || levels.count == JSONScanner.depthLimit { refuse() }
    awaitsValue = false
    if isObject { writer.beginObject() } else { writer.beginArray() }
    serial += 1
    levels.append(Level(serial: serial, isObject: isObject, firstKey: keys.count))
    return Place(depth: levels.count, serial: serial)
  }

  /// Begins a field of an object; its value must follow.
  func begin(_ key: String, in place: Place) {
    guard isOpen(place) else { return refuse() }
    let start = writer.bytes.count
    writer.key(key)
    awaitsValue = true
    // A comma precedes it, unless it is the first.
    let range =
      (levels[place.depth - 1].firstKey == keys.count ? start : start + 1)..<writer.bytes.count
    if !isNew(range) { refuse() }
  }

  /// Begins an element of an array; its value must follow.
  func beginElement(in place: Place) {
    guard isOpen(place) else { return refuse() }
    levels[place.depth - 1].count += 1
    awaitsValue = true
  }

  /// How many elements the array has.
  func count(in place: Place) -> Int {
    guard place.depth <= levels.count, levels[place.depth - 1].serial == place.serial else {
      refuse()
      return 0
    }
    return levels[place.depth - 1].count
  }

  /// Makes the container the innermost one; false where that is too late.
  private func isOpen(_ place: Place) -> Bool {
    guard !isUnusual, !awaitsValue, place.depth <= levels.count,
      levels[place.depth - 1].serial == place.serial
    else { return false }
    close(to: place.depth)
    return true
  }

  /// Whether the innermost container, an object, has no such key; it has it from then on.
  private func isNew(_ range: Range<Int>) -> Bool {
    let level = levels[levels.count - 1]
    let own = level.firstKey..<keys.count
    if own.count == Self.fewKeys {
      // Filled with the others from the text, as they are looked for there.
      return known[level.serial, default: Set(own.map { text(of: keys[$0]) })]
        .insert(text(of: range)).inserted
    }
    for other in own where keys[other].count == range.count {
      if writer.bytes[keys[other]] == writer.bytes[range] { return false }
    }
    keys.append(range)
    return true
  }

  /// Beyond so many, a set is faster than looking at each.
  private static let fewKeys = 16

  private func text(of range: Range<Int>) -> String {
    String(decoding: writer.bytes[range], as: UTF8.self)
  }

  private func close(to depth: Int) {
    while levels.count > depth, let level = levels.popLast() {
      keys.removeLast(keys.count - level.firstKey)
      if level.isObject { writer.endObject() } else { writer.endArray() }
    }
  }
}

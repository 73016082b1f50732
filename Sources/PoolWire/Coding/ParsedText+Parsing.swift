// Finds the values of a text, and checks it.

extension ParsedText {
  /// Adds a value with its content.
  @inline(__always)
  func add(
    _ scanner: inout JSONScanner,
    in parent: Int,
    depth: Int
  ) throws(JSONError) {
    let start = scanner.position
    if start < scanner.bytes.count {
      let first = scanner.bytes[start]
      if first == .quote { return try addString(&scanner, in: parent) }
      if first.digit != nil || first == .minus {
        try scanner.skipNumber()
        return append(.number, start..<scanner.position, in: parent)
      }
    }
    try addOther(&scanner, in: parent, depth: depth)
  }

  @inline(__always)
  private func append(_ kind: JSONScanner.Token, _ range: Range<Int>, in parent: Int) {
    entries.append(Entry(kind: kind, range: range, next: entries.count + 1, parent: parent))
  }

  private func addString(_ scanner: inout JSONScanner, in parent: Int) throws(JSONError) {
    // Most strings are read, and making a `String` checks its UTF-8.
    let string = try scanner.scanString(checksUTF8: false)
    var entry = Entry(
      kind: .string,
      range: string.range,
      next: entries.count + 1,
      parent: parent
    )
    entry.hasEscapes = string.hasEscapes
    entry.isUnchecked = true
    uncheckedCount += 1
    entries.append(entry)
  }

  /// Adds a value that is another one, or has white space before it.
  @inline(never)
  private func addOther(
    _ scanner: inout JSONScanner,
    in parent: Int,
    depth: Int
  ) throws(JSONError) {
    let kind = try scanner.token()
    let start = scanner.position
    var entry = Entry(kind: kind, range: start..<start, next: entries.count + 1, parent: parent)
    switch kind {
    case .object, .array: return try addContainer(&scanner, entry, depth: depth + 1)
    case .string: return try addString(&scanner, in: parent)
    case .number, .bool, .null:
      try scanner.skipScalar(kind)
      entry.range = start..<scanner.position
      if kind == .null, packed != nil { notePart(&entry) }
    }
    entries.append(entry)
  }

  /// Turns a `null` into the part that it stands for, if any.
  private func notePart(_ entry: inout Entry) {
    guard let parts = packed?.parts, partCount < parts.count,
      parts[partCount].offset == entry.range.lowerBound
    else { return }
    entry.part = Int32(partCount)
    entry.isNumbers = parts[partCount].type.isNumbers
    entry.kind = entry.isNumbers ? .array : .string
    partCount += 1
  }

  private func addContainer(
    _ scanner: inout JSONScanner,
    _ entry: Entry,
    depth: Int
  ) throws(JSONError) {
    let index = entries.count
    entries.append(entry)
    if entry.kind == .object {
      try addFields(&scanner, of: index, depth: depth)
    } else if depth <= JSONScanner.depthLimit, scanner.skipNumbers() {
      entries[index].isNumbers = true
    } else {
      try addElements(&scanner, of: index, depth: depth)
    }
    entries[index].range = entry.range.lowerBound..<scanner.position
    entries[index].next = entries.count
  }

  private func addElements(
    _ scanner: inout JSONScanner,
    of array: Int,
    depth: Int
  ) throws(JSONError) {
    guard depth <= JSONScanner.depthLimit else { throw JSONError(.tooDeep, at: scanner.position) }
    var isFirst = true
    try scanner.beginArray()
    while try scanner.hasElement(&isFirst) { try add(&scanner, in: array, depth: depth) }
  }

  private func addFields(
    _ scanner: inout JSONScanner,
    of object: Int,
    depth: Int
  ) throws(JSONError) {
    guard depth <= JSONScanner.depthLimit else { throw JSONError(.tooDeep, at: scanner.position) }
    var isFirst = true
    var (count, known) = (0, Set<[UInt8]>())
    try scanner.beginObject()
    while let key = try nextKey(&scanner, &isFirst) {
      // Foundation takes over if a key occurs twice: only one of them counts.
      let isNew =
        count < 16
        ? !hasKey(key, object, scanner) : known.insert(Array(scanner.slice(key))).inserted
      if !isNew { isUnusual = true }
      append(.string, key, in: object)
      count += 1
      if count == 16 { known = Set(keys(of: object).map { Array(bytes[entries[$0].range]) }) }
      try add(&scanner, in: object, depth: depth)
    }
  }

  /// Consumes the next key of an object; nil at its end.
  @inline(__always)
  private func nextKey(
    _ scanner: inout JSONScanner,
    _ isFirst: inout Bool
  ) throws(JSONError) -> Range<Int>? {
    if let key = scanner.plainKey(&isFirst) { return key }
    return try unusualKey(&scanner, &isFirst)
  }

  /// Foundation takes over if keys have escapes or are not ASCII: equal keys may differ in their
  /// bytes.
  @inline(never)
  private func unusualKey(
    _ scanner: inout JSONScanner,
    _ isFirst: inout Bool
  ) throws(JSONError) -> Range<Int>? {
    guard let key = try scanner.nextKey(&isFirst) else { return nil }
    let isUsual = !key.hasEscapes && scanner.slice(key.range).allSatisfy { $0 < 0x80 }
    if !isUsual { isUnusual = true }
    return key.range
  }

  /// The numbers of an object's keys; while it is being read, the last one may have no value yet.
  private func keys(of object: Int) -> [Int] {
    var (keys, place) = ([Int](), object + 1)
    while place < entries.count {
      keys.append(place)
      place = place + 1 < entries.count ? entries[place + 1].next : entries.count
    }
    return keys
  }

  /// Whether an object that is being read has a key with the same bytes.
  @inline(__always)
  private func hasKey(_ range: Range<Int>, _ object: Int, _ scanner: JSONScanner) -> Bool {
    let text = UnsafeRawBufferPointer(scanner.slice(range))
    var place = object + 1
    while place < entries.count {
      let other = entries[place].range
      if other.count == range.count, scanner.holds(text, at: other.lowerBound) {
        return true
      }
      place = entries[place + 1].next
    }
    return false
  }
}

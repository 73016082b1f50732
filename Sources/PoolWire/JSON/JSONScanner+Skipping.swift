extension JSONScanner {
  /// Throws unless the bytes are one JSON value, with nothing but white space around it.
  package static func check(
    _ json: [UInt8],
    depthLimit: Int = depthLimit
  ) throws(JSONError) {
    try json.withUnsafeBufferPointer { json throws(JSONError) in
      try check(json, depthLimit: depthLimit)
    }
  }

  /// The same, of bytes in the memory of others.
  static func check(
    _ json: UnsafeBufferPointer<UInt8>,
    depthLimit: Int = depthLimit
  ) throws(JSONError) {
    var scanner = JSONScanner(UnsafeRawBufferPointer(json))
    _ = try scanner.skipValue(depthLimit: depthLimit)
    try scanner.expectEnd()
  }

  /// Consumes and checks one value of any kind; returns the range of its text.
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    try skipValue(depthLimit: Self.depthLimit)
  }

  /// Consumes and checks one value, whose arrays and objects may nest to this depth.
  mutating func skipValue(depthLimit: Int) throws(JSONError) -> Range<Int> {
    let next = try token()
    let start = position
    if next == .object || next == .array {
      try skipContainer(depthLimit)
    } else {
      try skipScalar(next)
    }
    return start..<position
  }

  private mutating func skipContainer(_ depthLimit: Int) throws(JSONError) {
    var nesting = Nesting(limit: depthLimit)
    repeat {
      try skipToken(&nesting)
    } while nesting.depth > 0
  }

  /// Consumes the next scalar or bracket, with the comma or key before it.
  private mutating func skipToken(_ nesting: inout Nesting) throws(JSONError) {
    if nesting.depth > 0, try closesOrSeparates(&nesting) { return }
    let next = try token()
    guard next == .object || next == .array else {
      try skipScalar(next)
      if next == .number, nesting.depth > 0, !nesting.isObject { try skipMoreNumbers() }
      return
    }
    position += 1
    try nesting.enter(isObject: next == .object, at: position)
  }

  /// Consumes further elements of an array that are numbers: long arrays of numbers are common.
  private mutating func skipMoreNumbers() throws(JSONError) {
    while position + 1 < bytes.count, bytes[position] == .comma,
      bytes[position + 1].digit != nil || bytes[position + 1] == .minus
    {
      position += 1
      try skipNumber()
    }
  }

  /// Consumes and checks a value of this kind, which is not a container.
  @inline(__always)
  mutating func skipScalar(_ token: Token) throws(JSONError) {
    switch token {
    case .string: _ = try scanString()
    case .number: try skipNumber()
    case .bool: _ = try bool()
    case .null: try null()
    case .object, .array: preconditionFailure("a container is not a scalar")
    }
  }

  /// Consumes the text before a value in a container; true if the container ended.
  private mutating func closesOrSeparates(_ nesting: inout Nesting) throws(JSONError) -> Bool {
    if nesting.isObject {
      guard try nextKey(&nesting.isFirst) != nil else {
        nesting.leave()
        return true
      }
    } else {
      guard try hasElement(&nesting.isFirst) else {
        nesting.leave()
        return true
      }
    }
    return false
  }

  /// Which open containers are objects: one bit per level.
  private struct Nesting {
    var depth = 0
    var isFirst = true
    /// Whether the innermost one is an object: asked for each value, where reading its bit would
    /// copy all of them.
    private(set) var isObject = false
    private let limit: Int
    /// Enough for the `inputs` of a message, which nest deepest.
    private var kinds: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0)

    init(limit: Int) {
      precondition(limit <= MemoryLayout.size(ofValue: kinds) * 8, "each level has its bit")
      self.limit = limit
    }

    mutating func enter(isObject: Bool, at position: Int) throws(JSONError) {
      guard depth < limit else { throw JSONError(.tooDeep, at: position - 1) }
      withUnsafeMutableBytes(of: &kinds) { raw in
        let words = raw.assumingMemoryBound(to: UInt64.self)
        let mask = UInt64(1) << (depth % 64)
        words[depth / 64] = isObject ? words[depth / 64] | mask : words[depth / 64] & ~mask
      }
      depth += 1
      isFirst = true
      self.isObject = isObject
    }

    mutating func leave() {
      depth -= 1
      isFirst = false
      guard depth > 0 else { return }
      isObject = word((depth - 1) / 64) >> ((depth - 1) % 64) & 1 == 1
    }

    private func word(_ index: Int) -> UInt64 {
      withUnsafeBytes(of: kinds) { $0.assumingMemoryBound(to: UInt64.self)[index] }
    }
  }
}

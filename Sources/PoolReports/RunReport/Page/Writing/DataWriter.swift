/// Appends JSON that may stand between `<script>` tags: `<` and separators of lines are escaped.
struct DataWriter {
  private(set) var bytes: [UInt8] = Array("{".utf8)
  private var isFirst = true

  /// Appends a number.
  mutating func field(_ name: StaticString, _ value: Int) {
    key(name)
    append(value)
  }

  /// Appends numbers as they are.
  mutating func column(_ name: StaticString, _ values: some Sequence<Int>) {
    key(name)
    appendList(values)
  }

  /// Appends numbers as ``column(_:_:)`` does, or if all are small, as a text with a character for
  /// each: half as long, from `#` on, without those that JSON or HTML would escape.
  mutating func smallColumn(_ name: StaticString, _ values: some Sequence<Int>) {
    let values = Array(values)
    guard values.allSatisfy({ 0 <= $0 && $0 < Self.smallLimit }) else {
      return column(name, values)
    }
    key(name)
    bytes.append(UInt8(ascii: "\""))
    for value in values {
      let character = UInt8(ascii: "#") + UInt8(value)
      bytes.append(character < UInt8(ascii: "<") ? character : character + 1)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// One more than the greatest number that is a character below the backslash.
  private static let smallLimit = 56

  /// Appends numbers, each as the difference from the one before.
  mutating func deltas(_ name: StaticString, _ values: some Sequence<Int>) {
    key(name)
    var last = 0
    appendList(
      values.lazy.map { value in
        defer { last = value }
        return value - last
      }
    )
  }

  /// Appends a list of texts, which are visible already.
  mutating func texts(_ name: StaticString, _ texts: some Sequence<[UInt8]>) {
    key(name)
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for text in texts {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes.append(UInt8(ascii: "\""))
      escape(text[...])
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends texts that resemble the ones before them, as one text with a line for each: the length
  /// of what it has in common with the line before as a character from `#` on, and the rest.
  ///
  /// Stops, and returns false, when that is more than so many bytes.
  @discardableResult
  mutating func similarTexts(
    _ name: StaticString,
    _ texts: some Sequence<[UInt8]>,
    atMost limit: Int = .max
  ) -> Bool {
    let start = bytes.count
    key(name)
    bytes.append(UInt8(ascii: "\""))
    var last: [UInt8] = []
    var isFirst = true
    for text in texts {
      if !isFirst { bytes += #"\n"#.utf8 }
      isFirst = false
      let common = Self.commonLength(last, text)
      escape([UInt8(ascii: "#") + UInt8(common)])
      escape(text[common...])
      last = text
      if bytes.count - start > limit { return false }
    }
    bytes.append(UInt8(ascii: "\""))
    return bytes.count - start <= limit
  }

  /// Appends the fields of another object.
  mutating func append(_ other: DataWriter) {
    if !isFirst, !other.isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = isFirst && other.isFirst
    bytes += other.bytes.dropFirst()
  }

  /// The whole object.
  consuming func finished() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// The number of ASCII characters with which both begin; at most 90, for one character tells it.
  private static func commonLength(_ one: [UInt8], _ other: [UInt8]) -> Int {
    let limit = min(one.count, other.count, 90)
    var length = 0
    while length < limit, one[length] == other[length], one[length] < 0x80 { length += 1 }
    return length
  }

  private mutating func key(_ name: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    bytes += "\":".utf8
  }

  private mutating func appendList(_ values: some Sequence<Int>) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append(_ value: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Visible texts have no control characters and no U+2028; what ends a script begins with `<`.
  private mutating func escape(_ text: ArraySlice<UInt8>) {
    // Nearly all texts have nothing of that.
    let isPlain = text.allSatisfy {
      $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !isPlain else {
      bytes += text
      return
    }
    for byte in text {
      switch byte {
      case UInt8(ascii: "<"): bytes += #"\u003c"#.utf8
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      default: bytes.append(byte)
      }
    }
  }
}

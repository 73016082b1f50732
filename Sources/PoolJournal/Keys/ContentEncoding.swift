import PoolWire

/// An injective encoding of content: each part is a tag, its length and its bytes.
struct ContentEncoding {
  private(set) var bytes: [UInt8] = []

  /// The meaning of a part; the numbers are part of every key, so they never get a new meaning.
  enum Tag: UInt8 {
    case run = 1
    case argument = 2
    case shell = 3
    case folder = 4
    case variable = 5
    case value = 6
    case standardInput = 7
    case kind = 8
    case payload = 9
    case dependency = 10
    case input = 11
    case inputSource = 12
    case group = 13
    case member = 14
    case again = 15
    case inputPiece = 16
    case inputFile = 17
    case identifier = 18
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func append(_ tag: Tag, _ content: [UInt8]) {
    content.withUnsafeBytes { append(tag, $0) }
  }

  /// Appends a digest, and a number below 256 with its meaning.
  mutating func append(_ tag: Tag, _ digest: ContentDigest, _ number: UInt8 = 0) {
    bytes.append(tag.rawValue)
    bytes.append(number)
    for index in 0..<8 {
      withUnsafeBytes(of: digest.words[index].bigEndian) { bytes.append(contentsOf: $0) }
    }
  }

  mutating func append(_ tag: Tag, number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { append(tag, $0) }
  }

  private mutating func append(_ tag: Tag, _ content: UnsafeRawBufferPointer) {
    bytes.append(tag.rawValue)
    append(length: content.count)
    bytes.append(contentsOf: content)
  }

  /// Seven bits per byte, the lowest first; the top bit says that more follow.
  private mutating func append(length: Int) {
    var rest = length
    while rest > 127 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends JSON without white space between its tokens.
  mutating func append(_ tag: Tag, json: [UInt8]) {
    var isInString = false
    var isEscaped = false
    let content = json.filter { byte in
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        return true
      }
      isInString = byte == UInt8(ascii: "\"")
      return byte > UInt8(ascii: " ")
    }
    append(tag, content)
  }
}

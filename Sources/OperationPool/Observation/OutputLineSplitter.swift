import PoolWire

/// A piece of a command's outputs, on its way to the reader of its lines.
enum OutputPiece: Sendable {
  case bytes([UInt8], PoolOutputLine.Stream, attempt: Int)
  /// The attempt has ended, and with it an unfinished line.
  case end(attempt: Int)

  /// Number of bytes.
  var byteCount: Int {
    switch self {
    case .bytes(let bytes, _, _): bytes.count
    case .end: 0
    }
  }
}

/// Divides pieces of both outputs into lines; lines over the limit come in parts.
struct OutputLineSplitter: Sendable {
  /// The piece that is being divided: what follows the lines that were taken.
  private var rest: ArraySlice<UInt8> = []
  private var stream = PoolOutputLine.Stream.output
  private var attempt = 1
  /// The unfinished lines of both outputs.
  private var output: [UInt8] = []
  private var error: [UInt8] = []
  private var hasEnded = false

  /// Takes a piece, once ``next()`` has returned nil.
  mutating func take(_ piece: OutputPiece) {
    switch piece {
    case .bytes(let bytes, let stream, let attempt):
      (rest, self.stream, self.attempt) = (bytes[...], stream, attempt)
    case .end(let attempt):
      (hasEnded, self.attempt) = (true, attempt)
    }
  }

  /// The next line of the piece; nil if another piece is needed.
  mutating func next() -> PoolOutputLine? {
    guard rest.isEmpty else { return nextLine() }
    guard hasEnded else { return nil }
    for stream in [PoolOutputLine.Stream.output, .error] where !self[stream].isEmpty {
      return takeLine(of: stream, endsLine: false)
    }
    hasEnded = false
    return nil
  }

  private mutating func nextLine() -> PoolOutputLine? {
    let room = PoolOutputLine.limit - self[stream].count
    let part = rest.prefix(room)
    guard let end = part.firstIndex(of: UInt8(ascii: "\n")) else {
      self[stream] += part
      rest = rest.dropFirst(room)
      // A line that ends exactly here is whole.
      guard !rest.isEmpty else { return nil }
      if rest.first == UInt8(ascii: "\n") {
        rest = rest.dropFirst()
        return takeLine(of: stream, endsLine: true)
      }
      return takeLine(of: stream, endsLine: false)
    }
    self[stream] += rest[..<end]
    rest = rest[(end + 1)...]
    return takeLine(of: stream, endsLine: true)
  }

  private mutating func takeLine(
    of stream: PoolOutputLine.Stream,
    endsLine: Bool
  ) -> PoolOutputLine {
    defer { self[stream] = [] }
    return PoolOutputLine(
      stream: stream,
      attempt: attempt,
      bytes: self[stream],
      endsLine: endsLine
    )
  }

  private subscript(stream: PoolOutputLine.Stream) -> [UInt8] {
    get { stream == .output ? output : error }
    _modify { if stream == .output { yield &output } else { yield &error } }
  }
}

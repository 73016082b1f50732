/// A line that a command has written.
public struct PoolOutputLine: Hashable, Sendable, CustomStringConvertible {
  /// The output that it was written to.
  public enum Stream: Hashable, Sendable {
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// The longest line that comes as one element: 1 MiB.
  public static let limit = 1 << 20

  /// The output that it was written to.
  public let stream: Stream
  /// The attempt that wrote it, from 1.
  public let attempt: Int
  /// Its bytes, without the line feed.
  public let bytes: [UInt8]
  /// Whether a line feed follows.
  ///
  /// False for each part but the last of a line that is longer than ``limit``, and for an
  /// unfinished line at the end of an attempt.
  public let endsLine: Bool

  /// The bytes as text; those that are not UTF-8 are repaired.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text.
  public var description: String { text }
}

/// The lines of a command's outputs, in the order in which they came.
public struct PoolOutputLines: AsyncSequence, Sendable {
  private let reader: OutputLineReader

  init(_ reader: OutputLineReader) {
    self.reader = reader
  }

  /// Number of bytes that were dropped so far, because the command was being ended and its lines
  /// were not read.
  public var omittedByteCount: Int { reader.lines.omittedByteCount }

  /// Makes the one iterator of the lines.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

  /// Reads the lines in order.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: OutputLineReader
    private var splitter = OutputLineSplitter()

    fileprivate init(reader: OutputLineReader) {
      self.reader = reader
    }

    /// The next line; nil when the operation has ended, or if the task is cancelled.
    public mutating func next() async -> PoolOutputLine? {
      await next(isolation: nil)
    }

    /// The next line; nil when the operation has ended, or if the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> PoolOutputLine? {
      while true {
        if let line = splitter.next() { return line }
        switch reader.lines.poll() {
        case .piece(let piece): splitter.take(piece)
        case .nothingYet: await reader.lines.wait(isolation: actor)
        case .over: return nil
        }
      }
    }
  }
}

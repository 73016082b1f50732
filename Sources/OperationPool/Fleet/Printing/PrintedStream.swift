import PoolModel
import PoolWire

/// A worker's standard error, divided at its marks.
///
/// A mark names the dispatch to which the text before it belongs. Marks and frames come through two
/// pipes, and either may be read first: marked text waits here for the frame that names its
/// dispatch.
struct PrintedStream {
  /// Maximum bytes that wait for frames: 1 MiB.
  ///
  /// Beyond that, the oldest text is assigned to no operation.
  static let limit = 1 << 20
  /// Bytes that each mark counts, with or without text.
  private static let markSize = 64

  /// Nil if the worker does not mark its text.
  private var scanner: PrintMarkScanner?
  /// Text before marks that no frame has named yet, in order.
  private var marked: [(dispatch: DispatchNumber, text: [UInt8])] = []
  private var markedCount = 0
  /// The highest dispatch number that a frame has named.
  private var named: DispatchNumber?
  /// Number of marks so far.
  private(set) var markCount = 0
  /// Text after the last mark.
  private(set) var unmarked: [UInt8] = []
  /// Text of no operation, or of one whose frame came before its mark.
  private var stray: [UInt8] = []

  /// The worker marks its text from here on.
  mutating func begin(_ mark: PrintMark) {
    scanner = PrintMarkScanner(mark)
  }

  /// Whether the worker marks its text.
  var hasMarks: Bool { scanner != nil }

  /// Takes bytes that were read, and passes the text without the marks to the closure.
  mutating func append(_ bytes: UnsafeRawBufferPointer, _ body: (ArraySlice<UInt8>) -> Void) {
    guard var scanner else {
      unmarked += bytes
      return body(Array(bytes)[...])
    }
    scanner.scan(bytes) { piece in
      switch piece {
      case .text(let text):
        unmarked += text
        body(text)
      case .end(let reference): mark(reference.dispatch)
      }
    }
    self.scanner = scanner
  }

  /// Assigns the text since the previous mark to a dispatch.
  private mutating func mark(_ dispatch: DispatchNumber) {
    markCount += 1
    let text = takeUnmarked()
    guard named.map({ $0.rawValue < dispatch.rawValue }) ?? true else {
      stray += text
      return
    }
    marked.append((dispatch, text))
    markedCount += text.count + Self.markSize
    while markedCount > Self.limit, !marked.isEmpty {
      let oldest = marked.removeFirst().text
      markedCount -= oldest.count + Self.markSize
      stray += oldest
    }
  }

  /// Whether the mark of a dispatch, or a later mark, has come.
  func hasMark(of dispatch: DispatchNumber) -> Bool {
    marked.last.map { $0.dispatch.rawValue >= dispatch.rawValue } ?? false
  }

  /// A frame names a dispatch: takes the text before its mark that has come so far.
  mutating func takeMarked(upTo dispatch: DispatchNumber) -> [UInt8] {
    named = dispatch
    let count = marked.prefix { $0.dispatch.rawValue <= dispatch.rawValue }.count
    let text = Array(marked[..<count].map(\.text).joined())
    marked.removeFirst(count)
    markedCount -= text.count + count * Self.markSize
    return text
  }

  /// Takes the text after the last mark.
  mutating func takeUnmarked() -> [UInt8] {
    defer { unmarked = [] }
    return unmarked
  }

  /// Takes text that belongs to no operation.
  mutating func takeStray() -> [UInt8] {
    defer { stray = [] }
    return stray
  }

  /// The worker is gone: text that waits for frames belongs to no operation, and a possible start
  /// of a mark is text, which is passed to the closure.
  mutating func end(_ body: (ArraySlice<UInt8>) -> Void) {
    let rest = scanner?.takePending() ?? []
    body(rest[...])
    unmarked = Array(marked.map(\.text).joined()) + unmarked + rest
    (marked, markedCount) = ([], 0)
  }
}

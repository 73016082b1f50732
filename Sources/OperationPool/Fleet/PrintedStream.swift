import PoolModel
import PoolWire

/// What a worker writes to its standard error, divided at the marks in it.
///
/// A mark names the dispatch that has printed what is before it. Marks and frames come in two
/// pipes, and either may be read first: text waits here for the frame that names it.
struct PrintedStream {
  /// How much waits for frames at most: 1 MiB.
  ///
  /// Beyond it, the oldest is no operation's.
  static let limit = 1 << 20

  /// Nil as long as all text is unmarked.
  private var scanner: PrintMarkScanner?
  /// Text before marks that no frame has named, in order.
  private var marked: [(dispatch: DispatchNumber, text: [UInt8])] = []
  private var markedCount = 0
  /// The highest dispatch that a frame has named.
  private var named: DispatchNumber?
  /// How many marks have come.
  private(set) var markCount = 0
  /// Text behind the last mark.
  private(set) var unmarked: [UInt8] = []
  /// Text that is no operation's, or of one whose frame came earlier.
  private var stray: [UInt8] = []

  /// From here on, the worker marks what its operations print.
  mutating func begin(_ mark: PrintMark) {
    scanner = PrintMarkScanner(mark)
  }

  /// Whether the worker marks what its operations print.
  var hasMarks: Bool { scanner != nil }

  /// Takes what was read, and gives the closure all of it but the marks.
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

  /// What was printed up to here is a dispatch's.
  private mutating func mark(_ dispatch: DispatchNumber) {
    markCount += 1
    let text = takeUnmarked()
    guard named.map({ $0.rawValue < dispatch.rawValue }) ?? true else {
      stray += text
      return
    }
    marked.append((dispatch, text))
    markedCount += text.count
    while markedCount > Self.limit, !marked.isEmpty {
      let oldest = marked.removeFirst().text
      markedCount -= oldest.count
      stray += oldest
    }
  }

  /// Whether the mark of a dispatch has come, or a later one.
  func hasMark(of dispatch: DispatchNumber) -> Bool {
    marked.last.map { $0.dispatch.rawValue >= dispatch.rawValue } ?? false
  }

  /// A frame names a dispatch: takes the text before its mark, as far as that has come.
  mutating func takeMarked(upTo dispatch: DispatchNumber) -> [UInt8] {
    named = dispatch
    let count = marked.prefix { $0.dispatch.rawValue <= dispatch.rawValue }.count
    let text = Array(marked[..<count].map(\.text).joined())
    marked.removeFirst(count)
    markedCount -= text.count
    return text
  }

  /// Takes the text behind the last mark.
  mutating func takeUnmarked() -> [UInt8] {
    defer { unmarked = [] }
    return unmarked
  }

  /// Takes text that is no operation's.
  mutating func takeStray() -> [UInt8] {
    defer { stray = [] }
    return stray
  }

  /// The worker is gone: what waits for frames is text like any other, and so is what may have been
  /// the beginning of a mark, which the closure gets.
  mutating func end(_ body: (ArraySlice<UInt8>) -> Void) {
    let rest = scanner?.takePending() ?? []
    body(rest[...])
    unmarked = Array(marked.map(\.text).joined()) + unmarked + rest
    (marked, markedCount) = ([], 0)
  }
}

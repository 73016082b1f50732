import OperationPool
import PoolSystem

/// The two outputs of an operation.
struct OutputPair: Sendable {
  var output: OutputContent
  var error: OutputContent

  /// No output.
  static let empty = Self(output: .empty, error: .empty)

  var isEmpty: Bool { output.isEmpty && error.isEmpty }

  /// Number of its open descriptors.
  fileprivate var fileCount: Int { (output.isFile ? 1 : 0) + (error.isFile ? 1 : 0) }
}

/// Outputs that wait for their turn, outside memory: large ones in the files of their commands; the
/// others, and those for which too many files would be open, in one file without a name.
///
/// Operations are numbered from 0, and each comes once; ``next()`` returns them in that order.
struct OrderedOutputs {
  private enum Waiting {
    case open(OutputPair)
    case stored(Place)
  }

  /// The place of an output in the store.
  private struct Place {
    var output: Range<Int64>
    var error: Range<Int64>
  }

  /// Number of waiting outputs that may have an open file each: copying a file takes longer than
  /// writing it.
  ///
  /// Workers, and outputs on their way, need other descriptors.
  static let fileLimit = min(64, Descriptors.limit / 16)

  private var waiting: [Int: Waiting] = [:]
  private var turn = 0
  private var fileCount = 0
  private var store: OpenFile?
  /// The end of the store.
  private var end: Int64 = 0

  /// Whether the store exists.
  var hasStore: Bool { store != nil }

  /// Whether it is the turn of this operation.
  func isNext(_ number: Int) -> Bool { number == turn }

  /// The operation whose turn it was has been written.
  mutating func advance() {
    turn += 1
  }

  /// Keeps an output for its turn.
  mutating func keep(_ number: Int, _ pair: OutputPair) throws(SystemFailure) {
    if pair.fileCount > 0, fileCount + pair.fileCount <= Self.fileLimit {
      fileCount += pair.fileCount
      waiting[number] = .open(pair)
    } else {
      let output = try add(pair.output)
      waiting[number] = .stored(Place(output: output, error: try add(pair.error)))
    }
  }

  /// Takes the operation whose turn it is, with its output, if that has come.
  mutating func next() -> (number: Int, pair: OutputPair)? {
    let number = turn
    guard let waiter = waiting.removeValue(forKey: number) else { return nil }
    turn += 1
    // When no output waits, the store's space is freed as soon as this output is written.
    defer { if waiting.isEmpty { (store, end) = (nil, 0) } }
    switch waiter {
    case .open(let pair):
      fileCount -= pair.fileCount
      return (number, pair)
    case .stored(let place):
      let pair = OutputPair(output: content(at: place.output), error: content(at: place.error))
      return (number, pair)
    }
  }

  /// Adds an output to the store, and returns where it is.
  private mutating func add(_ content: OutputContent) throws(SystemFailure) -> Range<Int64> {
    let start = end
    guard content.byteCount > 0 else { return start..<start }
    let file = try file()
    do throws(SystemFailure) {
      try OutputCopy.forEachPiece(of: content) { piece throws(SystemFailure) in
        try SystemIO.writeAll(file.descriptor, piece)
        // The piece may be short, if another process has truncated the file.
        end += Int64(piece.count)
      }
    } catch {
      throw TemporaryFolder.explain(error, of: file.descriptor)
    }
    return start..<end
  }

  private func content(at range: Range<Int64>) -> OutputContent {
    guard let store, !range.isEmpty else { return .empty }
    return .file(OutputFile(range, of: store))
  }

  private mutating func file() throws(SystemFailure) -> OpenFile {
    if let store { return store }
    let file = OpenFile(try TemporaryFile.open())
    store = file
    return file
  }
}

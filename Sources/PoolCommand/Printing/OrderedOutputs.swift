import OperationPool
import PoolSystem

/// What an operation wrote.
struct OutputPair: Sendable {
  var output: OutputContent
  var error: OutputContent

  /// Nothing.
  static let empty = Self(output: .empty, error: .empty)

  var isEmpty: Bool { output.isEmpty && error.isEmpty }

  /// How many descriptors are open for it.
  fileprivate var fileCount: Int { (output.isFile ? 1 : 0) + (error.isFile ? 1 : 0) }
}

/// Outputs that wait for their turn, so that memory does not grow: large ones where their commands
/// wrote them, and all others, or what would be too many open files, in one file without a name.
///
/// Operations are numbered from 0 and each comes once; ``next()`` gives them in that order.
struct OrderedOutputs {
  private enum Waiting {
    case open(OutputPair)
    case stored(Place)
  }

  /// Where an output waits within the store.
  private struct Place {
    var output: Range<Int64>
    var error: Range<Int64>
  }

  /// How many files may be open for outputs that wait: copying one takes longer than writing it.
  ///
  /// Workers, and outputs that are on their way, need others.
  static let fileLimit = min(64, Descriptors.limit / 16)

  private var waiting: [Int: Waiting] = [:]
  private var turn = 0
  private var fileCount = 0
  private var store: OpenFile?
  /// The store's end.
  private var end: Int64 = 0

  /// Whether there is a file of those that were copied.
  var hasStore: Bool { store != nil }

  /// Whether it is this operation's turn.
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
    // Once nobody waits, the file's room is given back, as soon as this is written.
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
        // Not all that there was to be: somebody may have cut its file.
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

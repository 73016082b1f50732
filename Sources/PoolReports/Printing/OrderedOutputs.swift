import PoolContents
import PoolSystem

/// Outputs that wait for their turn, outside memory: large ones in the files of their commands; the
/// others, and those for which too many files would be open, in one file without a name.
///
/// Operations are numbered from 0, and each comes once; ``next()`` returns them in that order.
struct OrderedOutputs {
  private enum Waiting {
    case open(OutputPair, LineTags)
    case stored(Place)
    /// All of it is among the pieces; the pair says how much.
    case inPieces(OutputPair)
  }

  /// One output of an operation that executes, and whose turn has not come.
  private struct Pieces {
    var stored: [Range<Int64>] = []
    var last: [UInt8] = []
    var byteCount: Int64 = 0
  }

  /// Number of bytes of pieces in memory for each output: 64 KiB.
  private static let pieceLimit = 64 << 10

  /// The place of an output in the store.
  private struct Place {
    var output: Range<Int64>
    var error: Range<Int64>
    var hasTags: Bool
  }

  /// The outputs of the operation whose turn it is.
  struct Output {
    var number: Int
    var pair: OutputPair
    /// The tags that its lines do not have yet.
    var tags = LineTags.none
    /// Whether its lines have their tags.
    var hasTags = false
  }

  /// Number of waiting outputs that may have an open file each: copying a file takes longer than
  /// writing it.
  ///
  /// Workers, and outputs on their way, need other descriptors.
  static let fileLimit = min(64, Descriptors.limit / 16)

  private var waiting: [Int: Waiting] = [:]
  private var live: [Int: LivePieces] = [:]
  private(set) var turn = 0
  private var fileCount = 0
  /// What was copied, because it may not stay open; nil while nothing is.
  private(set) var store: OpenFile?
  /// The end of the store.
  private var end: Int64 = 0

  /// Whether it is the turn of this operation.
  func isNext(_ number: Int) -> Bool { number == turn }

  /// The operation whose turn it was has been written.
  mutating func advance() {
    turn += 1
  }

  /// Keeps an output for its turn, or what its pieces lack of it; in the store, its lines have
  /// their tags.
  mutating func keep(
    _ number: Int,
    _ pair: OutputPair,
    _ tags: LineTags = .none
  ) throws(SystemFailure) {
    if let pieces = live.removeValue(forKey: number) {
      live[number] = try whole(pieces, pair)
      waiting[number] = .inPieces(pair.counted)
    } else if pair.fileCount > 0, fileCount + pair.fileCount <= Self.fileLimit {
      fileCount += pair.fileCount
      waiting[number] = .open(pair, tags)
    } else {
      let output = try add(pair.output, tags.output)
      let error = try add(pair.error, tags.error)
      waiting[number] = .stored(Place(output: output, error: error, hasTags: !tags.isEmpty))
    }
  }

  /// Takes the operation whose turn it is, if its output has come; its pieces were taken before.
  mutating func next() -> Output? {
    let number = turn
    guard let waiter = waiting.removeValue(forKey: number) else { return nil }
    turn += 1
    defer { freeStore() }
    switch waiter {
    case .open(let pair, let tags):
      fileCount -= pair.fileCount
      return Output(number: number, pair: pair, tags: tags)
    case .stored(let place):
      let pair = OutputPair(output: content(at: place.output), error: content(at: place.error))
      return Output(number: number, pair: pair, hasTags: place.hasTags)
    case .inPieces(let pair):
      return Output(number: number, pair: pair)
    }
  }

  /// When no output waits, the store's space is freed as soon as the taken outputs are written.
  private mutating func freeStore() {
    if waiting.isEmpty, live.isEmpty { (store, end) = (nil, 0) }
  }

  /// Adds an output to the store, each line after its tag, and returns its place.
  private mutating func add(
    _ content: OutputContent,
    _ tag: [UInt8] = []
  ) throws(SystemFailure) -> Range<Int64> {
    let start = end
    guard content.byteCount > 0 else { return start..<start }
    let file = try file()
    var tags = LineTagger(tag: tag)
    do throws(SystemFailure) {
      // A piece may be short, if another process has truncated the file.
      try content.forEachPiece { piece throws(SystemFailure) in
        if tag.isEmpty {
          try SystemIO.writeAll(file.descriptor, piece)
          end += Int64(piece.count)
        } else {
          let text = tags.tagged(piece)
          try SystemIO.writeAll(file.descriptor, text)
          end += Int64(text.count)
        }
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

// MARK: - Operations that execute

extension OrderedOutputs {
  /// What an operation has written, whose turn has not come.
  private struct LivePieces {
    var tag: [UInt8]?
    var output = Pieces()
    var error = Pieces()
  }

  /// Keeps a piece of the output of an operation whose turn has not come.
  mutating func keep(_ piece: LivePiece) throws(SystemFailure) {
    var kept = live.removeValue(forKey: piece.number) ?? LivePieces(tag: piece.tag)
    if piece.stream == .output {
      try append(piece.bytes, to: &kept.output)
    } else {
      try append(piece.bytes, to: &kept.error)
    }
    live[piece.number] = kept
  }

  private mutating func append(
    _ bytes: [UInt8],
    to pieces: inout Pieces
  ) throws(SystemFailure) {
    pieces.last += bytes
    pieces.byteCount += Int64(bytes.count)
    if pieces.last.count >= Self.pieceLimit { try storeLast(of: &pieces) }
  }

  private mutating func storeLast(of pieces: inout Pieces) throws(SystemFailure) {
    try store(.inline(pieces.last), in: &pieces)
    pieces.last = []
  }

  /// Adds the rest of the outputs of an operation that has ended, and keeps nothing in memory.
  private mutating func whole(
    _ pieces: LivePieces,
    _ pair: OutputPair
  ) throws(SystemFailure) -> LivePieces {
    var pieces = pieces
    try storeLast(of: &pieces.output)
    try store(pair.output.dropFirst(pieces.output.byteCount), in: &pieces.output)
    try storeLast(of: &pieces.error)
    try store(pair.error.dropFirst(pieces.error.byteCount), in: &pieces.error)
    return pieces
  }

  private mutating func store(
    _ content: OutputContent,
    in pieces: inout Pieces
  ) throws(SystemFailure) {
    let range = try add(content)
    guard !range.isEmpty else { return }
    if let before = pieces.stored.last, before.upperBound == range.lowerBound {
      pieces.stored[pieces.stored.count - 1] = before.lowerBound..<range.upperBound
    } else {
      pieces.stored.append(range)
    }
  }

  /// Drops the pieces of an operation.
  mutating func drop(_ number: Int) {
    guard live.removeValue(forKey: number) != nil else { return }
    freeStore()
  }

  /// Takes the pieces of the operation whose turn it is, if there are any: first those of its
  /// output.
  mutating func takePieces() -> (tag: [UInt8]?, output: [OutputContent], error: [OutputContent])? {
    guard let taken = live.removeValue(forKey: turn) else { return nil }
    defer { freeStore() }
    return (taken.tag, contents(of: taken.output), contents(of: taken.error))
  }

  private func contents(of pieces: Pieces) -> [OutputContent] {
    pieces.stored.map(content(at:)) + [.inline(pieces.last)]
  }
}

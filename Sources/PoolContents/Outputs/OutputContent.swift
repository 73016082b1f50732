import PoolModel
package import PoolSystem

/// The output of an execution, ready to be copied.
package enum OutputContent: Sendable {
  case inline([UInt8])
  case file(OutputFile)
  /// It could not be fetched, for this reason.
  case unavailable(String)
  /// It could not be fetched, because its worker is gone.
  case lost
  /// The first bytes of an output with this many.
  case start([UInt8], of: Int64)
  /// The end of an output whose beginning was passed on while the operation executed.
  indirect case rest(OutputContent, after: PassedOutput)

  package static let empty = Self.inline([])

  /// Whether there was nothing to fetch.
  package var isEmpty: Bool {
    switch self {
    case .inline(let bytes): bytes.isEmpty
    case .rest(let rest, let passed): passed.byteCount == 0 && rest.isEmpty
    case .start(_, let byteCount): byteCount == 0
    case .file, .unavailable, .lost: false
    }
  }

  /// Whether it holds a descriptor open.
  package var isFile: Bool {
    switch self {
    case .file: true
    case .rest(let rest, _): rest.isFile
    case .inline, .start, .unavailable, .lost: false
    }
  }

  /// Whether all or a part of it is lost with its worker.
  package var isLost: Bool {
    switch self {
    case .lost: true
    case .rest(let rest, _): rest.isLost
    case .inline, .start, .file, .unavailable: false
    }
  }

  /// Why all or a part of it could not be fetched.
  package var loss: String? {
    switch self {
    case .unavailable(let reason): reason
    case .lost: "its worker is gone"
    case .rest(let rest, _): rest.loss
    case .inline, .start, .file: nil
    }
  }

  /// Number of its bytes that are in memory.
  package var inlineCount: Int {
    switch self {
    case .inline(let bytes), .start(let bytes, _): bytes.count
    case .rest(let rest, let passed): passed.head.count + rest.inlineCount
    case .file, .unavailable, .lost: 0
    }
  }

  /// The output without its first bytes, which are at least those that were passed on.
  package func dropFirst(_ count: Int64) -> Self {
    guard count > 0 else { return self }
    switch self {
    case .rest(let rest, let passed): return rest.dropFirst(count - passed.byteCount)
    case .inline(let bytes): return .inline(Array(bytes.dropFirst(Int(clamping: count))))
    case .file(let file): return .file(file.dropFirst(count))
    case .start(let bytes, let byteCount):
      let dropped = min(count, byteCount)
      return .start(Array(bytes.dropFirst(Int(clamping: dropped))), of: byteCount - dropped)
    case .unavailable, .lost: return self
    }
  }

  /// Number of bytes.
  package var byteCount: Int64 {
    switch self {
    case .inline(let bytes): Int64(bytes.count)
    case .start(_, let byteCount): byteCount
    case .file(let file): file.byteCount
    case .unavailable, .lost: 0
    case .rest(let rest, let passed): passed.byteCount + rest.byteCount
    }
  }
}

/// The part of an output that was passed on while its operation executed: counted, and not kept.
package struct PassedOutput: Sendable {
  /// Its first bytes, as many as ``OutputContent/prefix`` shows.
  package private(set) var head: [UInt8] = []
  package private(set) var byteCount: Int64 = 0

  /// Counts bytes without keeping any to show.
  package init(byteCount: Int64 = 0) {
    self.byteCount = byteCount
  }

  package mutating func add(_ piece: [UInt8]) {
    byteCount += Int64(piece.count)
    head += piece.prefix(OutputContent.prefixLimit - head.count)
  }
}

extension OutputContent {
  /// Maximum bytes of an output in an outcome or a result: 64 KiB.
  package static let prefixLimit = 64 << 10

  /// The first bytes, at most ``prefixLimit``; fewer if the file cannot be read.
  package var prefix: [UInt8] { prefix(Self.prefixLimit) }

  /// The first bytes, at most so many; fewer if the file cannot be read, or if they were passed on.
  package func prefix(_ limit: Int) -> [UInt8] {
    switch self {
    case .inline(let bytes), .start(let bytes, _):
      return Array(bytes.prefix(limit))
    case .file(let file):
      let range = file.range.prefix(limit)
      var start: [UInt8] = []
      start.reserveCapacity(range.count)
      try? SystemIO.forEachPiece(of: file.descriptor, range) { start += $0 }
      return start
    case .rest(let rest, let passed):
      let head = Array(passed.head.prefix(limit))
      let isWhole = Int64(passed.head.count) == passed.byteCount
      return isWhole ? head + rest.prefix(limit - head.count) : head
    case .unavailable, .lost:
      return []
    }
  }

  /// The bytes that are in memory and begin the output; for a file, its ``prefix``.
  package var kept: [UInt8] {
    switch self {
    case .inline(let bytes), .start(let bytes, _): bytes
    case .file, .rest, .unavailable, .lost: prefix
    }
  }

  /// A copy in memory: the whole output if it has no more bytes than the limit, or its first bytes.
  package func inMemory(upTo limit: Int) -> Self {
    if case .inline(let bytes) = self, bytes.count <= limit { return self }
    let start = prefix(limit)
    return Int64(start.count) == byteCount ? .inline(start) : .start(start, of: byteCount)
  }
}

extension OutputContent: PiecewiseContent {
  /// Passes the output to the closure in pieces, without the part that was passed on before.
  package func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    switch self {
    case .inline(let bytes), .start(let bytes, _):
      guard !bytes.isEmpty else { return }
      try bytes.withBytes(body)
    case .file(let file): try SystemIO.forEachPiece(of: file.descriptor, file.range, body)
    case .rest(let rest, _): try rest.forEachPiece(body)
    case .unavailable, .lost: break
    }
  }

  /// Writes the output to a file, without the part that was passed on before.
  ///
  /// Throws ``SystemFailure/cancelled`` if the closure returns false, which is asked before each
  /// MiB.
  package func copy(to descriptor: Int32, while isWanted: () -> Bool) throws(SystemFailure) {
    switch self {
    case .inline(let bytes), .start(let bytes, _): try SystemIO.writeAll(descriptor, bytes)
    case .file(let file):
      try SystemIO.copy(file.descriptor, file.range, to: descriptor, while: isWanted)
    case .rest(let rest, _): try rest.copy(to: descriptor, while: isWanted)
    case .unavailable, .lost: break
    }
  }
}

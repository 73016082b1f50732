import PoolContents
import PoolModel
import PoolSystem

/// Collects an output that comes in pieces, in memory while it is small, then in a file.
///
/// A class, so that its file is closed with the last reference.
final class OutputCollector {
  /// Maximum size in memory: 64 KiB.
  static let memoryLimit = 64 << 10

  private var bytes: [UInt8] = []
  private var descriptor: Int32?
  private var byteCount: Int64 = 0
  private var failure: String?
  /// What came before and was passed on.
  private var passed = PassedOutput()

  deinit {
    if let descriptor { Descriptors.close(descriptor) }
  }

  /// Appends a piece; after a failure, drops it, so that it takes no memory.
  func append(_ piece: [UInt8]) {
    guard failure == nil else { return }
    byteCount += Int64(piece.count)
    bytes += piece
    if bytes.count > Self.memoryLimit { spill() }
  }

  /// Counts a piece that goes to its reader at once, so that a long output takes no room.
  ///
  /// After a piece was kept, all later ones are kept, too: the reader gets them after it.
  func pass(_ piece: [UInt8]) {
    guard byteCount == 0, failure == nil else { return append(piece) }
    passed.add(piece)
  }

  /// At most so many bytes of what is kept: those behind an offset, or else the last ones.
  ///
  /// What was passed on counts for offsets, and is not here.
  func piece(_ count: Int, from offset: Int64?) -> WrittenPiece {
    let total = passed.byteCount + byteCount
    guard byteCount > 0, failure == nil else { return WrittenPiece(end: total) }
    let wanted = TailRequest.range(count, from: offset, of: total)
      .clamped(to: passed.byteCount..<total)
    let start = wanted.lowerBound - passed.byteCount
    let piece = kept(start..<start + Int64(wanted.count))
    return WrittenPiece(piece, end: wanted.lowerBound + Int64(piece.count))
  }

  private func kept(_ range: Range<Int64>) -> [UInt8] {
    guard let descriptor else { return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]) }
    spill()
    var piece: [UInt8] = []
    try? SystemIO.forEachPiece(of: descriptor, range) { piece += $0 }
    return piece
  }

  /// Moves the bytes in memory to the file.
  private func spill() {
    attempt { () throws(SystemFailure) in try SystemIO.writeAll(try file(), bytes) }
    bytes.removeAll()
  }

  /// Stores the reason if the file fails.
  private func attempt(_ body: () throws(SystemFailure) -> Void) {
    do throws(SystemFailure) {
      try body()
    } catch {
      let named = descriptor.map { TemporaryFolder.explain(error, of: $0) } ?? error
      failure = String(describing: named)
    }
  }

  private func file() throws(SystemFailure) -> Int32 {
    if let descriptor { return descriptor }
    let file = try TemporaryFile.open()
    descriptor = file
    return file
  }

  /// The output, without the pieces that were passed on; the collector is empty afterwards.
  func take() -> OutputContent {
    defer { passed = PassedOutput() }
    return passed.byteCount == 0 ? takeKept() : .rest(takeKept(), after: passed)
  }

  private func takeKept() -> OutputContent {
    if let descriptor, failure == nil {
      spill()
      // Network file systems report some failures only here.
      attempt { () throws(SystemFailure) in try Descriptors.confirmWrites(to: descriptor) }
    }
    let (bytes, descriptor, failure, byteCount) = (bytes, descriptor, failure, byteCount)
    (self.bytes, self.descriptor, self.failure, self.byteCount) = ([], nil, nil, 0)
    guard let descriptor else { return failure.map { .unavailable($0) } ?? .inline(bytes) }
    let whole = OutputFile(descriptor: descriptor, byteCount: byteCount)
    return failure.map { .unavailable($0) } ?? .file(whole)
  }
}

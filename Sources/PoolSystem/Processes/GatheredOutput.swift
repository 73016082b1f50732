import CPoolSystem
import PoolModel

/// One output of a command: a pipe that this process empties, memory for a small output, and a file
/// for a large one.
struct GatheredOutput {
  /// The largest output that stays in memory: 64 KiB.
  private static let memoryLimit = 64 << 10
  /// The most that is read in one look, so that both outputs get their turn: 1 MiB.
  private static let lookLimit = 1 << 20

  /// The end that is read; -1 if it was closed.
  private(set) var readEnd: Int32
  /// The command's end; -1 if only the command has it.
  private(set) var writeEnd: Int32
  private var bytes: [UInt8] = []
  /// Holds the whole output if it is too large for memory.
  private var file: Int32?
  /// Number of bytes that were read, with those that are not kept.
  private var byteCount: Int64 = 0
  private let limit: OutputLimit
  /// Why the rest of the output was refused.
  private(set) var failure: SystemFailure?
  private var isWide = false

  /// Makes its pipe; a wide one is for a command that will likely print much.
  init(_ limit: OutputLimit, isWide: Bool = false) throws(SystemFailure) {
    self.limit = limit
    LockWatch.assertUnlocked()
    var ends: (Int32, Int32) = (-1, -1)
    let code = withUnsafeMutableBytes(of: &ends) {
      opool_output_pipe($0.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    guard code == 0 else { throw .last("pipe") }
    (readEnd, writeEnd) = ends
    if isWide { widen() }
  }

  /// Whether it has more bytes than the operation allows.
  var isForbidden: Bool { limit.forbids(byteCount) }

  /// Whether no process has the pipe open any more, or the output is refused.
  var isOver: Bool { readEnd < 0 }

  /// Whether it has ended, without a byte and without a failure.
  var isEmpty: Bool { isOver && byteCount == 0 && failure == nil }

  mutating func closeWriteEnd() {
    if writeEnd >= 0 { Descriptors.close(writeEnd) }
    writeEnd = -1
  }

  private mutating func closeReadEnd() {
    if readEnd >= 0 { Descriptors.close(readEnd) }
    readEnd = -1
  }

  /// Closes everything.
  mutating func discard() {
    closeWriteEnd()
    closeReadEnd()
    if let file { Descriptors.close(file) }
    file = nil
  }

  /// Takes what is in the pipe; returns the number of bytes.
  mutating func drain(_ buffer: UnsafeMutableRawBufferPointer, widens: Bool) -> Int {
    var total = 0
    while !isOver, total < Self.lookLimit {
      let count = read(buffer)
      total += count
      // Most likely it is empty now.
      if count < 4 << 10 { break }
    }
    if total >= 32 << 10, widens, !isWide, !isOver { widen() }
    return total
  }

  private mutating func widen() {
    isWide = true
    SystemIO.widenPipe(readEnd, for: .max)
  }

  private mutating func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch try? SystemIO.read(readEnd, into: buffer) {
    case .bytes(let count)?:
      let room = max(Int64(limit.byteCount) - byteCount, 0)
      byteCount += Int64(count)
      keep(UnsafeRawBufferPointer(rebasing: buffer[..<Int(min(Int64(count), room))]))
      if isForbidden { closeReadEnd() }
      return count
    case .wouldBlock?:
      return 0
    case .endOfFile?, nil:
      closeReadEnd()
      return 0
    }
  }

  private mutating func keep(_ piece: UnsafeRawBufferPointer) {
    guard !piece.isEmpty else { return }
    if file == nil, bytes.count + piece.count <= Self.memoryLimit {
      return bytes.append(contentsOf: piece)
    }
    do throws(SystemFailure) {
      if file == nil { try spill() }
      if let file { try SystemIO.writeAll(file, piece) }
    } catch {
      refuse(because: error)
    }
  }

  private mutating func spill() throws(SystemFailure) {
    let new = try TemporaryFile.open()
    file = new
    try SystemIO.writeAll(new, bytes)
    bytes = []
  }

  /// Closes the pipe: the next write of the command fails, as a write to a full disk would.
  private mutating func refuse(because error: SystemFailure) {
    failure = file.map { TemporaryFolder.explain(error, of: $0) } ?? error
    closeReadEnd()
  }

  /// At most so many bytes of what was kept so far: those behind an offset, or else the last ones.
  func piece(_ count: Int, from offset: Int64?) -> WrittenPiece {
    guard let file else {
      let range = TailRequest.range(count, from: offset, of: Int64(bytes.count))
      return WrittenPiece(
        Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]),
        end: range.upperBound
      )
    }
    let size = (try? Descriptors.size(of: file)) ?? 0
    let range = TailRequest.range(count, from: offset, of: size)
    var piece: [UInt8] = []
    try? SystemIO.forEachPiece(of: file, range) { piece += $0 }
    return WrittenPiece(piece, end: range.lowerBound + Int64(piece.count))
  }

  /// The read end, if a process still has the pipe open; the caller closes it.
  mutating func takeReadEnd() -> Int32? {
    defer { readEnd = -1 }
    return isOver ? nil : readEnd
  }

  /// What was kept of the output.
  mutating func take() -> GatheredContent {
    defer { (file, bytes) = (nil, []) }
    guard let file else { return GatheredContent(.memory(bytes), byteCount, failure) }
    // Network file systems report some failures only here.
    do throws(SystemFailure) {
      try Descriptors.confirmWrites(to: file)
    } catch {
      failure = failure ?? TemporaryFolder.explain(error, of: file)
    }
    let size = (try? Descriptors.size(of: file)) ?? 0
    return GatheredContent(.file(file, byteCount: size), byteCount, failure)
  }
}

/// What was kept of an output.
package struct GatheredContent {
  package enum Place {
    case memory([UInt8])
    /// The caller closes the file.
    case file(Int32, byteCount: Int64)
  }

  package let place: Place
  /// Number of bytes that were read from the command.
  package let readCount: Int64
  /// Why it is not the whole output, except for the operation's limit; nil if it is.
  package let failure: SystemFailure?

  init(_ place: Place, _ readCount: Int64, _ failure: SystemFailure?) {
    (self.place, self.readCount, self.failure) = (place, readCount, failure)
  }
}

package import PoolContents
import PoolSystem
import PoolWire
import Synchronization

/// The blocks of a run, numbered from 0: eight bytes each, and the content of those that are not
/// done.
///
/// The thread that cuts appends them, and the coordinator's releases them.
package final class BlockList: Sendable {
  private struct State {
    /// The end of each block in the input.
    var ends: [Int64] = []
    /// The content of blocks that were read from a stream, each in a file of its own.
    var files: [Int: Int32] = [:]
    /// The digests of blocks that were read for a journal.
    var digests: [Int: [ContentDigest]] = [:]
  }

  /// Where the first block begins.
  private let origin: Int64
  /// The file whose parts the blocks are; nil for a stream.
  private let file: Int32?
  private let state = Mutex(State())

  package init(from origin: Int64 = 0, of file: Int32? = nil) {
    self.origin = origin
    self.file = file
  }

  package var count: Int { state.withLock { $0.ends.count } }

  /// The offsets of a block in the input.
  package func range(of block: Int) -> Range<Int64> { state.withLock { range(of: block, in: $0) } }

  private func range(of block: Int, in state: State) -> Range<Int64> {
    (block > 0 ? state.ends[block - 1] : origin)..<state.ends[block]
  }

  /// Appends a block that ends at an offset of the input, with the file of its content, if it has
  /// one; returns its number.
  package func append(end: Int64, _ content: Int32? = nil) -> Int {
    state.withLock { state in
      state.ends.append(end)
      state.files[state.ends.count - 1] = content
      return state.ends.count - 1
    }
  }

  /// The block, as a command gets it; nil after its release.
  package func input(_ block: Int) -> ExecutionInput? {
    place(of: block).map { place in
      ExecutionInput(place.file, place.isWhole ? nil : place.range)
    }
  }

  /// Frees a block; returns the number of bytes that were in memory.
  package func release(_ block: Int) -> Int {
    let content = state.withLock { state in
      state.digests[block] = nil
      return state.files.removeValue(forKey: block)
    }
    guard let content else { return 0 }
    Descriptors.close(content)
    return range(of: block).count
  }

  /// The digests of the readable pieces of a block: 1 MiB each.
  func digests(of block: Int) -> [ContentDigest] {
    if let known = state.withLock({ $0.digests[block] }) { return known }
    return digests(of: block, while: { true }) ?? []
  }

  /// Reads a block, and notes its digests; returns false if the closure did, which is asked before
  /// each piece.
  ///
  /// Call it before a lock is taken to ask for the digests: a block may have many gigabytes.
  package func digest(_ block: Int, while isWanted: () -> Bool) -> Bool {
    guard let digests = digests(of: block, while: isWanted) else { return false }
    state.withLock { $0.digests[block] = digests }
    return true
  }

  private func digests(of block: Int, while isWanted: () -> Bool) -> [ContentDigest]? {
    guard let place = place(of: block) else { return [] }
    var pieces = PieceDigests()
    do throws(SystemFailure) {
      try SystemIO.forEachPiece(of: place.file, place.range) { piece throws(SystemFailure) in
        guard isWanted() else { throw SystemFailure.cancelled }
        pieces.append(piece)
      }
    } catch {
      if error == .cancelled { return nil }
    }
    return pieces.finish()
  }

  /// Where the content of a block is.
  private struct Place {
    var file: Int32
    var range: Range<Int64>
    /// Whether the file has nothing else.
    var isWhole: Bool
  }

  private func place(of block: Int) -> Place? { state.withLock { place(of: block, in: $0) } }

  private func place(of block: Int, in state: State) -> Place? {
    let range = range(of: block, in: state)
    if let content = state.files[block] {
      return Place(file: content, range: 0..<Int64(range.count), isWhole: true)
    }
    guard let file else { return nil }
    return Place(file: file, range: range, isWhole: false)
  }
}

import OperationPool
import PoolJournal
import PoolSystem

/// What an interrupted run has printed into a file, behind the part of which its journal knows.
///
/// Marks in a journal come later than what they mark. But whatever the run printed meanwhile is in the
/// file: whole outputs of those that the journal keeps, about in their order, and perhaps the beginning
/// of one more. So each is recognized by its bytes, and nothing is printed twice; what does not look so
/// is another program's, and ends the search.
struct PrintedTail: Equatable {
  /// An output that the journal keeps, because it may not have been printed.
  struct Candidate {
    var id: KeptOutputID
    var outputs: OutputPair
  }

  /// The outputs that are there, whole.
  private(set) var whole: Set<KeptOutputID> = []
  /// One that is not all there.
  private(set) var begun: Begun?

  /// An output of which the file has the beginning.
  struct Begun: Equatable {
    var id: KeptOutputID
    /// The offset of its first byte in the file.
    var offset: Int64
    /// Number of bytes of its standard output that are there.
    var byteCount: Int64
  }

  /// Number of candidates that are compared at a place, since `-k` may change their order.
  private static let window = 1_024

  /// Nothing is there.
  init() {}

  /// Searches a range of a file; the candidates are in the order of their operations' ends.
  ///
  /// The closure returns the number of first bytes of a candidate's standard output that are in the
  /// file from an offset on.
  init(
    _ range: Range<Int64>,
    _ candidates: [Candidate],
    commonLength: (Candidate, Int64) -> Int64
  ) {
    var rest = candidates.filter { $0.outputs.output.byteCount > 0 }[...]
    var place = range.lowerBound
    var last: Candidate?
    while place < range.upperBound {
      var found: Int?
      for (index, candidate) in zip(rest.indices, rest).prefix(Self.window) {
        let length = commonLength(candidate, place)
        if length == candidate.outputs.output.byteCount {
          found = index
          break
        }
        if begun == nil, length > 0, place + length == range.upperBound {
          begun = Begun(id: candidate.id, offset: place, byteCount: length)
        }
      }
      guard let found else { break }
      let candidate = rest[found]
      begun = nil
      whole.insert(candidate.id)
      place += candidate.outputs.output.byteCount
      last = candidate
      // As a rule it is the first: then nothing is moved.
      if found == rest.startIndex { rest.removeFirst() } else { rest.remove(at: found) }
    }
    // The error output of the last one may be missing: it comes behind the output.
    if begun == nil, let last, !last.outputs.error.isEmpty {
      whole.remove(last.id)
      let length = last.outputs.output.byteCount
      begun = Begun(id: last.id, offset: place - length, byteCount: length)
    }
  }
}

extension PrintedTail {
  /// Searches a file from an offset to its end; finds nothing where it cannot be read.
  init(of file: OpenFile, from start: Int64, _ candidates: [Candidate]) {
    self.init()
    guard let end = try? Descriptors.size(of: file.descriptor), start < end else { return }
    self.init(start..<end, candidates) { candidate, place in
      Self.commonLength(candidate.outputs.output, file, place..<end)
    }
  }

  /// Number of first bytes of an output that a range of a file begins with.
  private static func commonLength(
    _ output: OutputContent,
    _ file: OpenFile,
    _ range: Range<Int64>
  ) -> Int64 {
    var count: Int64 = 0
    // An error ends it, as a difference does: what is read until then is equal.
    try? output.forEachPiece { piece throws(SystemFailure) in
      var place = 0
      let there = range.lowerBound + count..<range.upperBound
      let read = there.prefix(piece.count)
      try SystemIO.forEachPiece(of: file.descriptor, read) { bytes throws(SystemFailure) in
        let wanted = piece[place..<place + bytes.count]
        guard bytes.elementsEqual(wanted) else {
          count += Int64(zip(bytes, wanted).prefix { $0 == $1 }.count)
          throw SystemFailure.cancelled
        }
        (count, place) = (count + Int64(bytes.count), place + bytes.count)
      }
      guard place == piece.count else { throw SystemFailure.cancelled }
    }
    return count
  }
}

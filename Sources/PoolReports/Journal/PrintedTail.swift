import PoolContents
import PoolJournal
import PoolSystem

/// What an interrupted run has printed into a file, behind the part of which its journal knows.
///
/// Marks in a journal come later than what they mark. But whatever the run printed meanwhile is in
/// the file: as a rule whole outputs of those that the journal keeps, about in their order, and
/// perhaps the beginning of one more. So each is recognized by its bytes. Other bytes end the
/// search. Where one output begins another, a wrong choice must lose none: then what was found
/// counts only if the search explains the file to its end, by which the same text is there in any
/// case.
struct PrintedTail {
  /// An output that the journal keeps, because it may not have been printed.
  struct Candidate {
    var id: KeptOutputID
    var outputs: OutputPair

    fileprivate var byteCount: Int64 { outputs.output.byteCount }
  }

  /// The outputs that are there, whole.
  private(set) var whole: Set<KeptOutputID> = []
  /// One that is not all there.
  private(set) var begun: Begun?

  /// An output of which the file has the beginning.
  struct Begun {
    var id: KeptOutputID
    var outputs: OutputPair
    /// The offset of its first byte in the file.
    var offset: Int64
    /// Number of bytes of its standard output that are there.
    var byteCount: Int64
  }

  /// Number of candidates that are compared at each place; the others where none of these fits.
  private static let window = 64

  /// Nothing is there.
  init() {}

  /// Whether anything is there.
  var isEmpty: Bool { whole.isEmpty && begun == nil }

  /// Searches a range of a file; the candidates are in the order of their operations' ends.
  ///
  /// The closure returns the number of first bytes of a candidate's standard output that are in the
  /// file from an offset on.
  init(
    _ range: Range<Int64>,
    _ candidates: [Candidate],
    commonLength: (Candidate, Int64) -> Int64
  ) {
    var rest = candidates.filter { $0.byteCount > 0 }[...]
    var found: [Begun] = []
    var certainCount: Int?
    var place = range.lowerBound
    while place < range.upperBound {
      let step = Self.step(rest, at: place, before: range.upperBound, commonLength)
      if step.isAmbiguous, certainCount == nil { certainCount = found.count }
      guard let index = step.index else {
        // Bytes that nothing explains.
        if step.begun == nil, let certainCount { found.removeSubrange(certainCount...) }
        begun = step.begun
        break
      }
      let candidate = rest[index]
      let length = candidate.byteCount
      found.append(
        Begun(id: candidate.id, outputs: candidate.outputs, offset: place, byteCount: length)
      )
      place += length
      // As a rule it is the first, or not far behind it.
      for other in stride(from: index, to: rest.startIndex, by: -1) {
        rest[other] = rest[other - 1]
      }
      rest.removeFirst()
    }
    // The error output of the last one may be missing: it comes behind the output.
    if begun == nil, let last = found.last, !last.outputs.error.isEmpty {
      begun = found.removeLast()
    }
    whole = Set(found.map(\.id))
  }

  /// The longest candidate that is whole at a place, or one that the file ends within; and whether
  /// another one could be there instead.
  private static func step(
    _ rest: ArraySlice<Candidate>,
    at place: Int64,
    before end: Int64,
    _ commonLength: (Candidate, Int64) -> Int64
  ) -> (index: Int?, begun: Begun?, isAmbiguous: Bool) {
    var (index, begun) = (nil as Int?, nil as Begun?)
    var isAmbiguous = rest.count > window
    for (number, candidate) in zip(rest.indices, rest) {
      if index != nil, number >= rest.startIndex + window { break }
      let length = commonLength(candidate, place)
      guard length == candidate.byteCount else {
        if begun == nil, length > 0, place + length == end {
          let (id, outputs) = (candidate.id, candidate.outputs)
          begun = Begun(id: id, outputs: outputs, offset: place, byteCount: length)
        }
        continue
      }
      guard let best = index else {
        index = number
        continue
      }
      if rest[best].byteCount != length { isAmbiguous = true }
      if rest[best].byteCount < length { index = number }
    }
    return (index, index == nil ? begun : nil, isAmbiguous)
  }
}

extension PrintedTail {
  /// The rest of the one that was begun has been printed: only its error output may be missing.
  mutating func complete() {
    guard let last = begun else { return }
    if last.outputs.error.isEmpty {
      whole.insert(last.id)
      begun = nil
    } else {
      begun?.byteCount = last.outputs.output.byteCount
    }
  }

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

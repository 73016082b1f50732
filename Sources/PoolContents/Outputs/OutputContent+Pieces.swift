package import PoolModel
import PoolSystem

extension OutputContent {
  /// At most so many bytes behind an offset; what was passed on is not there.
  package func piece(_ count: Int, from offset: Int64) -> WrittenPiece {
    switch self {
    case .inline(let bytes), .start(let bytes, _):
      let range = TailRequest.range(count, from: offset, of: Int64(bytes.count))
      return WrittenPiece(
        Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]),
        end: range.upperBound
      )
    case .file(let file):
      let range = TailRequest.range(count, from: offset, of: file.byteCount)
      let start = file.range.lowerBound
      let place = (start + range.lowerBound)..<(start + range.upperBound)
      var bytes: [UInt8] = []
      try? SystemIO.forEachPiece(of: file.descriptor, place) { bytes += $0 }
      return WrittenPiece(bytes, end: range.lowerBound + Int64(bytes.count))
    case .rest(let rest, let passed):
      var piece = rest.piece(count, from: max(offset - passed.byteCount, 0))
      piece.end += passed.byteCount
      return piece
    case .unavailable, .lost: return WrittenPiece(end: offset)
    }
  }
}

import PoolEvents
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import PoolReports

/// A file of events is the same however it is cut into pieces.
@Suite("Pieces of a file of events")
struct EventPieceTests {
  private static let file = Array(
    """
    {"type":"runEnded","at":1,"exit":1}

    nonsense
    {"type":"later","at":1}
    {"type":"runEnded","at":2,"exit":2}
    {"type":"runEnd
    """.utf8
  )

  @Test("pieces end with whole lines, and together are the file")
  func ranges() {
    for count in 1...12 {
      let ranges = EventPiece.ranges(in: Self.file, atMost: count)
      #expect(ranges.count <= count && ranges.allSatisfy { !$0.isEmpty })
      #expect(ranges.flatMap { Array(Self.file[$0]) } == Self.file)
      for range in ranges.dropLast() {
        #expect(Self.file[range.upperBound - 1] == UInt8(ascii: "\n"))
      }
    }
    #expect(EventPiece.ranges(in: [], atMost: 4).isEmpty)
  }

  @Test("records, faults and the number of lines do not depend on the pieces")
  func pieces() {
    for count in 1...12 {
      let pieces = AtOnce().map(EventPiece.ranges(in: Self.file, atMost: count)) {
        EventPiece(Self.file[$0])
      }
      let codes = pieces.flatMap(\.lines).map { line -> Int32? in
        if case .runEnded(let end) = line.record { end.exitCode } else { nil }
      }
      #expect(codes == [1, 2])
      var number = 0
      var faults: [Int] = []
      for piece in pieces {
        faults += piece.faults.map { number + $0.line }
        number += piece.count
      }
      #expect(faults == [3] && number == 6)
    }
  }

  @Test("results of work at once are in the order of the elements")
  func order() {
    #expect(AtOnce().map(Array(0..<1_000)) { $0 * 2 } == (0..<1_000).map { $0 * 2 })
    #expect(AtOnce().map([Int]()) { $0 } == [])
  }
}

import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: an output counts as read when both streams have been read to its end, and not before.
@Suite("Outputs in pipes")
struct UnreadOutputsTests {
  private typealias Position = UnreadOutputs.Position

  @Test("Outputs are read in the order of printing, each when both streams are read to its end")
  func order() {
    var unread = UnreadOutputs()
    unread.append([4, 2], at: Position(output: 10, error: 0))
    unread.append([7], at: Position(output: 20, error: 5))
    unread.append([5], at: Position(output: 20, error: 5))
    #expect(unread.takeRead(upTo: Position(output: 9, error: 5)) == [])
    #expect(unread.takeRead(upTo: Position(output: 20, error: 4)) == [4, 2])
    #expect(!unread.isEmpty)
    #expect(unread.takeRead(upTo: Position(output: 20, error: 5)) == [7, 5])
    #expect(unread.isEmpty)
  }

  /// Another process may have filled the same pipe since.
  @Test("What was read stays read")
  func again() {
    var unread = UnreadOutputs()
    unread.append([1], at: Position(output: 10, error: 0))
    unread.append([2], at: Position(output: 20, error: 0))
    #expect(unread.takeRead(upTo: Position(output: 15, error: 0)) == [1])
    #expect(unread.takeRead(upTo: Position(output: -50_000, error: 0)) == [])
    #expect(unread.takeRead(upTo: Position(output: 20, error: 0)) == [2])
  }
}

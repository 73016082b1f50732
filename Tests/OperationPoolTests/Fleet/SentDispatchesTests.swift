import PoolModel
import Testing

@testable import OperationPool

@Suite("Dispatches that a link may have carried")
struct SentDispatchesTests {
  @Test("are those of which a byte was written")
  func bytes() {
    var sent = SentDispatches()
    func number(_ value: UInt64) -> DispatchNumber { DispatchNumber(rawValue: value) }
    #expect(sent.last == nil)
    // Two frames of 100 bytes behind 10 bytes of something else.
    sent.append(number(5), behind: 10)
    sent.append(number(9), behind: 110)
    sent.advance(by: 10, leaving: 200)
    #expect(sent.last == nil)
    sent.advance(by: 1, leaving: 199)
    #expect(sent.last == number(5))
    sent.advance(by: 99, leaving: 100)
    #expect(sent.last == number(5))
    // One more, while the second still waits.
    sent.append(number(12), behind: 100)
    sent.advance(by: 1, leaving: 199)
    #expect(sent.last == number(9))
    sent.advance(by: 99, leaving: 100)
    #expect(sent.last == number(9))
    sent.advance(by: 100, leaving: 0)
    #expect(sent.last == number(12))
  }
}

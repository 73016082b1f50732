import Testing

@testable import OperationPool

/// Contract: what other threads append is taken once, in order.
@Suite("Lists that are handed over")
struct HandoverListTests {
  @Test("all elements are exchanged for an empty array")
  func exchange() {
    let list = HandoverList<Int>()
    var taken: [Int] = []
    list.takeAll(into: &taken)
    #expect(taken.isEmpty)
    for number in 1...3 { list.append(number) }
    list.takeAll(into: &taken)
    #expect(taken == [1, 2, 3] && list.isEmpty)
    list.append(4)
    #expect(!list.isEmpty && list.takeAll() == [4])
  }
}

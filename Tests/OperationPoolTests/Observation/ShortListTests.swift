import Testing

@testable import OperationPool

/// A list that holds its first element in place.
@Suite("Short lists")
struct ShortListTests {
  private func list(_ count: Int) -> ShortList<Int> {
    var list = ShortList<Int>()
    for element in 0..<count { list.append(element) }
    return list
  }

  @Test("elements stay in the order in which they were appended", arguments: 0..<4)
  func order(_ count: Int) {
    #expect(list(count).elements == Array(0..<count))
    #expect(list(count).count == count)
    #expect(list(count).isEmpty == (count == 0))
  }

  @Test("any of them can be removed, and all can be changed", arguments: 0..<8)
  func removal(_ removed: Int) {
    let isRemoved = { (element: Int) in removed & (1 << element) != 0 }
    var list = list(3)
    list.removeAll(where: isRemoved)
    let rest = (0..<3).filter { !isRemoved($0) }
    #expect(list.elements == rest)
    list.changeEach { $0 += 10 }
    #expect(list.elements == rest.map { $0 + 10 })
    list.append(99)
    #expect(list.elements == rest.map { $0 + 10 } + [99])
    #expect(list.count == rest.count + 1)
  }
}

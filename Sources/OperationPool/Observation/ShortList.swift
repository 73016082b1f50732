/// A list of mostly one element, which needs no memory of its own then.
struct ShortList<Element> {
  private var first: Element?
  private var others: [Element] = []

  var isEmpty: Bool { first == nil }

  var count: Int { first == nil ? 0 : others.count + 1 }

  var elements: [Element] { first.map { [$0] + others } ?? [] }

  mutating func append(_ element: Element) {
    if first == nil { first = element } else { others.append(element) }
  }

  /// Removes those that the closure chooses; O(elements).
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    others.removeAll(where: isRemoved)
    guard let element = first, isRemoved(element) else { return }
    first = others.isEmpty ? nil : others.removeFirst()
  }

  /// Lends each element to the closure, in order.
  @inline(__always)
  mutating func changeEach(_ body: (inout Element) -> Void) {
    guard var element = first.take() else { return }
    body(&element)
    first = element
    for index in others.indices { body(&others[index]) }
  }
}

extension ShortList: Sendable where Element: Sendable {}

import Synchronization

/// Passes elements from many threads to one, in order and without a lock: so a thread of low
/// priority, which may lose its processor at any moment, delays no other.
package final class Mailbox<Element: Sendable>: Sendable {
  private final class Node {
    let element: Element
    var next: UInt = 0

    init(_ element: Element) {
      self.element = element
    }
  }

  /// The latest element, retained; 0 for none.
  private let top = Atomic<UInt>(0)
  private let wakeUp = Semaphore()

  package init() {}

  deinit {
    _ = takeList()
  }

  /// Adds an element.
  package func put(_ element: Element) {
    let node = Node(element)
    let bits = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())
    node.next = top.load(ordering: .relaxed)
    while true {
      let (isDone, found) = top.compareExchange(
        expected: node.next,
        desired: bits,
        ordering: .acquiringAndReleasing
      )
      if isDone { break }
      node.next = found
    }
    wakeUp.signal()
  }

  /// Takes all elements, the oldest first; waits until there is one.
  ///
  /// Only one thread may call it.
  package func takeAll() -> [Element] {
    while true {
      let all = takeList()
      if !all.isEmpty { return all.reversed() }
      wakeUp.wait()
    }
  }

  private func takeList() -> [Element] {
    var elements: [Element] = []
    var bits = top.exchange(0, ordering: .acquiringAndReleasing)
    while let place = UnsafeRawPointer(bitPattern: bits) {
      let node = Unmanaged<Node>.fromOpaque(place).takeRetainedValue()
      elements.append(node.element)
      bits = node.next
    }
    return elements
  }
}

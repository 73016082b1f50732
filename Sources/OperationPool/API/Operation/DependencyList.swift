import PoolModel

/// The dependencies of one operation, in the order in which they were added, each once.
///
/// Few operations have many dependencies, so a short list is searched, and only a long one gets an
/// index. Adding and lookup are O(1); removing is linear.
struct DependencyList {
  struct Element {
    var operation: PoolOperation
    var requirement: PoolRequirement
  }

  private(set) var elements: [Element] = []
  private var index: Set<ObjectIdentifier> = []

  private static let shortLength = 8

  var isEmpty: Bool { elements.isEmpty }

  var count: Int { elements.count }

  var operations: [PoolOperation] { elements.map(\.operation) }

  func contains(_ operation: PoolOperation) -> Bool {
    guard elements.count > Self.shortLength else {
      return elements.contains { $0.operation === operation }
    }
    return index.contains(ObjectIdentifier(operation))
  }

  /// Adds an operation that is not in the list.
  mutating func append(_ operation: PoolOperation, _ requirement: PoolRequirement) {
    elements.append(Element(operation: operation, requirement: requirement))
    guard elements.count > Self.shortLength else { return }
    if index.isEmpty { index = Set(elements.map { ObjectIdentifier($0.operation) }) }
    index.insert(ObjectIdentifier(operation))
  }

  /// Removes an operation; false if it is not in the list.
  mutating func remove(_ operation: PoolOperation) -> Bool {
    guard contains(operation),
      let place = elements.firstIndex(where: { $0.operation === operation })
    else { return false }
    elements.remove(at: place)
    index.remove(ObjectIdentifier(operation))
    if elements.count <= Self.shortLength { index = [] }
    return true
  }
}

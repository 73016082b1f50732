/// The operations in a queue, as its observers know them; O(1) to change.
struct ObservedOperations: Sendable {
  /// The operations in the order in which they were added, with gaps.
  private var places: [PoolOperation?]
  private var index: [ObjectIdentifier: Int]
  /// The first effect that reports an end not contained in the initial list.
  private let firstEffect: Int

  var count: Int { index.count }

  var operations: [PoolOperation] { places.compactMap(\.self) }

  init(_ operations: [PoolOperation], firstEffect: Int) {
    places = []
    index = [:]
    self.firstEffect = firstEffect
    _ = append(operations)
  }

  /// The value of a property for observers; a list costs its length, and is made only if it is
  /// wanted.
  func value(_ key: ObservedKey, isWanted: Bool) -> ObservedValue {
    guard key == .operations else { return .count(count) }
    return .operations(isWanted ? operations : [])
  }

  /// Appends operations; returns true: the list has changed.
  mutating func append(_ operations: [PoolOperation]) -> Bool {
    for operation in operations {
      index[ObjectIdentifier(operation)] = places.count
      places.append(operation)
    }
    return true
  }

  /// Removes an operation whose end an effect reports; false if it is not in the list.
  ///
  /// The caller must hold the operation, so that it is not released here.
  mutating func remove(_ operation: PoolOperation, _ effect: Int) -> Bool {
    guard effect >= firstEffect, let place = index.removeValue(forKey: ObjectIdentifier(operation))
    else {
      return false
    }
    places[place] = nil
    if places.count > 2 * count + 16 { close() }
    return true
  }

  /// Closes the gaps; amortised O(1) for each removal.
  private mutating func close() {
    places.removeAll { $0 == nil }
    for (place, operation) in places.enumerated() {
      if let operation { index[ObjectIdentifier(operation)] = place }
    }
  }
}

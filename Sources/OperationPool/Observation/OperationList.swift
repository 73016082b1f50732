/// What is in a queue, as its observers have been told; O(1) to change.
struct OperationList: Sendable {
  /// In the order in which they were added, with gaps.
  private var places: [PoolOperation?]
  private var index: [ObjectIdentifier: Int]
  /// The first effect that tells an end which the list does not show from the beginning.
  private let firstEffect: Int

  var count: Int { index.count }

  var operations: [PoolOperation] { places.compactMap(\.self) }

  init(_ operations: [PoolOperation], firstEffect: Int) {
    places = []
    index = [:]
    self.firstEffect = firstEffect
    _ = append(operations)
  }

  /// What observers of a property are told; a list costs its length, and is made if it is wanted.
  func value(_ key: ObservedKey, isWanted: Bool) -> ObservedValue {
    guard key == .operations else { return .count(count) }
    return .operations(isWanted ? operations : [])
  }

  /// Returns true: the list has changed.
  mutating func append(_ operations: [PoolOperation]) -> Bool {
    for operation in operations {
      index[ObjectIdentifier(operation)] = places.count
      places.append(operation)
    }
    return true
  }

  /// Removes an operation whose end an effect tells; false where it is not in the list.
  ///
  /// The caller keeps the operation, so that it is not let go here.
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

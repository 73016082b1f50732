/// The greatest of many values.
package enum Greatest {
  /// The places of the greatest values, the greatest first, equal ones in their order; linear for
  /// values in no order.
  package static func places(in values: [Int64], atMost count: Int) -> [Int] {
    var places: [Int] = []
    for (place, value) in values.enumerated() {
      if places.count == count, let last = places.last, value <= values[last] { continue }
      places.insert(place, at: places.firstIndex { values[$0] < value } ?? places.count)
      if places.count > count { places.removeLast() }
    }
    return places
  }
}

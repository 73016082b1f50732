/// Finds the name that a mistyped name may stand for.
package enum NearestName {
  /// Longer names are not compared: the time for that is the product of two lengths.
  private static let longest = 200

  /// The candidate most similar to the name, the first among equals; nil if none is similar.
  package static func of(_ name: String, among candidates: [String]) -> String? {
    of(Array(name.utf8), among: candidates.lazy.map { Array($0.utf8) }).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The same of names in UTF-8.
  package static func of(_ name: [UInt8], among candidates: some Sequence<[UInt8]>) -> [UInt8]? {
    guard name.count <= longest else { return nil }
    let limit = max(1, name.count / 3)
    var best: (name: [UInt8], distance: Int)?
    for candidate in candidates where abs(candidate.count - name.count) <= limit {
      let found = distance(name, candidate)
      if found <= limit, found < best?.distance ?? .max { best = (candidate, found) }
    }
    return best?.name
  }

  /// Letters inserted, deleted, replaced, or swapped with their neighbour (optimal alignment).
  package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let isSame = left[row] == right[column]
        var cost = min(previous[column + 1] + 1, current[column] + 1)
        cost = min(cost, previous[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, older[column - 1] + 1)
        }
        current.append(cost)
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}

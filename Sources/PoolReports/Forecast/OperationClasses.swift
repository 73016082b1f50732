import PoolInputs
import PoolModel
import PoolSystem

/// Which operations of a workload probably take equally long.
struct OperationClasses {
  private let workload: any Workload
  /// The class of each operation, or `unfound`.
  private var classes: [UInt32] = []
  private var foundCount = 0
  private var numbers: [Key: Int] = [:]

  private struct Key: Hashable {
    var kind: Int
    var program: [UInt8]?
  }

  private static let unfound = UInt32.max
  /// Nanoseconds that a redraw may spend on finding classes.
  private let patience: Int64

  init(_ workload: any Workload, patience: Int64) {
    self.workload = workload
    self.patience = patience
  }

  /// The class of an operation that was found, and its number of units.
  subscript(operation: Int) -> (index: Int, units: Int64) {
    let index = Int(classes[operation])
    return (index, units(of: operation, in: index))
  }

  /// The same; nil for an operation whose class was not found yet.
  func known(_ operation: Int) -> (index: Int, units: Int64)? {
    guard operation < classes.count, classes[operation] != Self.unfound else { return nil }
    return self[operation]
  }

  /// Finds the classes of some more operations; returns whether all are found.
  mutating func find(upTo count: Int, _ durations: inout MeasuredDurations) -> Bool {
    let start = MonotonicClock.now
    while foundCount < count {
      let end = min(foundCount + 256, count)
      for operation in foundCount..<end { _ = find(operation, &durations) }
      foundCount = end
      if MonotonicClock.now - start > patience { break }
    }
    return foundCount >= count
  }

  /// The class of an operation, and its number of units.
  mutating func find(
    _ operation: Int,
    _ durations: inout MeasuredDurations
  ) -> (index: Int, units: Int64) {
    if operation >= classes.count {
      let missing = operation + 1 - classes.count
      classes.append(contentsOf: repeatElement(Self.unfound, count: missing))
    }
    if classes[operation] == Self.unfound {
      classes[operation] = UInt32(newIndex(of: operation, &durations))
    }
    return self[operation]
  }

  /// Expected remaining nanoseconds of each operation that has not ended.
  func rests(_ durations: MeasuredDurations, isOver: [Bool]) -> [Int64] {
    let expected = (0..<durations.classCount).map {
      durations.expected(in: $0) ?? RemainingTime.unknown
    }
    return isOver.indices.map { operation in
      guard !isOver[operation] else { return 0 }
      let index = Int(classes[operation])
      guard index == MeasuredDurations.said else { return expected[index] }
      return durations.expected(units: units(of: operation, in: index), in: index) ?? 0
    }
  }

  private func units(of operation: Int, in index: Int) -> Int64 {
    index == MeasuredDurations.said ? workload.expected(of: operation) ?? 1 : 1
  }

  private mutating func newIndex(of operation: Int, _ durations: inout MeasuredDurations) -> Int {
    if workload.expected(of: operation) != nil { return MeasuredDurations.said }
    let key = Key(kind: workload.kindIndex(of: operation), program: workload.program(of: operation))
    if let number = numbers[key] { return number }
    durations.addClass()
    numbers[key] = durations.classCount - 1
    return durations.classCount - 1
  }
}

/// Which operations have a row of a live block.
///
/// An operation that has a row keeps its place until it ends. A free row goes to the most overdue
/// operation without one, and then to the one that has been executing longest.
struct BlockRows {
  /// Nanoseconds for which an operation executes before it gets a row: 1 s.
  static let least: Int64 = 1_000_000_000

  /// The operation of each row, by its number; nil for a free one.
  private var rows: [Int?] = []

  /// The operations that have a row.
  var numbers: [Int] { rows.compactMap(\.self) }

  /// Gives rows to operations, and returns that of each row; nil for an empty row between others.
  ///
  /// The closure says how long an operation takes; nil if unknown.
  mutating func place(
    _ executions: [WatchedRun.Execution],
    most: Int,
    expected: (Int) -> Int64?
  ) -> [WatchedRun.Execution?] {
    var candidates: [Int: WatchedRun.Execution] = [:]
    for execution in executions where execution.elapsed >= Self.least {
      candidates[execution.number] = execution
    }
    rows = rows.prefix(max(most, 0)).map { number in
      number.flatMap { candidates[$0] == nil ? nil : $0 }
    }
    fill(from: candidates, most: most, expected)
    while let last = rows.last, last == nil { rows.removeLast() }
    return rows.map { number in number.flatMap { candidates[$0] } }
  }

  private mutating func fill(
    from candidates: [Int: WatchedRun.Execution],
    most: Int,
    _ expected: (Int) -> Int64?
  ) {
    let shown = Set(numbers)
    guard shown.count < min(most, candidates.count) else { return }
    let waiting = candidates.values.filter { !shown.contains($0.number) }
      .map { (urgency: Self.urgency(of: $0, expected($0.number)), number: $0.number) }
      .sorted { $0.urgency > $1.urgency }
    var next = waiting.map(\.number)[...]
    for place in rows.indices where rows[place] == nil { rows[place] = next.popFirst() }
    while rows.count < most, let number = next.popFirst() { rows.append(number) }
  }

  /// What comes first: nanoseconds beyond what was expected, those since the start, and the number,
  /// the smallest first.
  private static func urgency(
    of execution: WatchedRun.Execution,
    _ expected: Int64?
  ) -> (Int64, Int64, Int) {
    let overdue = expected.map { max(execution.elapsed - $0, 0) } ?? 0
    return (overdue, execution.elapsed, -execution.number)
  }
}

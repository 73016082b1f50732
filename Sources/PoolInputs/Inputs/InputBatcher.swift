/// Puts inputs together for executions.
///
/// A batch is complete at its count, or before the input with which its command would be too long.
/// Where commands are filled, the inputs that are left at the end are spread over the slots, as GNU
/// parallel does it.
struct InputBatcher {
  /// The fields of one input.
  typealias Row = [[UInt8]]

  private var rule: BatchRule
  /// How long commands become.
  var size = CommandSize(base: 0, uses: [])
  /// How many execute at once.
  var slotCount = 1
  /// The inputs of the batch that is not complete.
  private var rows: [Row] = []
  private var fieldCount = 0
  private var byteCount = 0
  /// Number of inputs so far.
  private var count = 0

  /// Starts without inputs.
  init(_ rule: BatchRule) {
    self.rule = rule
  }

  /// Says how many bytes the words of a command may have together.
  mutating func limit(to room: Int) { rule.room = room }

  /// Adds an input; returns the fields of the batch that it has completed, or did not fit into.
  ///
  /// Throws, without the input, if a command with it alone is longer than the user allows.
  mutating func add(_ row: Row) throws(UsageError) -> Row? {
    count += 1
    guard let limit = rule.effectiveByteLimit else {
      if rule.count ?? 1 == 1 { return row }
      append(row, byteCount: 0)
      return rows.count >= rule.count ?? 1 ? take() : nil
    }
    let alone = size.growth(by: row, from: 0)
    if let limit = rule.byteLimit, size.base + alone > limit {
      throw tooLong(size.base + alone, limit)
    }
    let growth = rows.isEmpty ? alone : size.growth(by: row, from: fieldCount)
    let fits = size.base + byteCount + growth <= limit
    var taken = fits || rows.isEmpty ? nil : take()
    append(row, byteCount: taken == nil ? growth : alone)
    // After a batch that this input did not fit into, it is alone in the next one.
    if taken == nil, let count = rule.count, rows.count >= max(count, 1) { taken = take() }
    return taken
  }

  /// The batches of the inputs that are left.
  mutating func end() -> [Row] {
    guard rule.fills, slotCount > 1 else { return rows.isEmpty ? [] : [take()] }
    let share = max((rows.count + slotCount - 1) / slotCount, 1)
    defer { rows = [] }
    return stride(from: 0, to: rows.count, by: share).map { start in
      Array(rows[start..<min(start + share, rows.count)].joined())
    }
  }

  private mutating func append(_ row: Row, byteCount: Int) {
    rows.append(row)
    fieldCount += row.count
    self.byteCount += byteCount
  }

  private mutating func take() -> Row {
    defer { (rows, fieldCount, byteCount) = ([], 0, 0) }
    return rows.count == 1 ? rows[0] : Array(rows.joined())
  }

  private func tooLong(_ size: Int, _ limit: Int) -> UsageError {
    UsageError(
      "input \(count): its command has \(size) bytes, and -s allows \(limit)",
      topic: .map
    )
  }
}

/// When operations executed, as their results say.
struct Executions {
  private let spans: [(start: Double, end: Double)]

  init(_ records: some Sequence<ResultRecord>) {
    spans = records.compactMap { record in
      guard let start = record.started, let end = record.finished else { return nil }
      return (start, end)
    }
  }

  /// How many there were.
  var count: Int { spans.count }

  /// The most that there were at once.
  var width: Int {
    spans.map { span in spans.count { $0.start <= span.start && span.start < $0.end } }.max() ?? 0
  }

  /// Whether all of them ended before the first of the others began.
  func precede(_ others: Executions) -> Bool {
    (spans.map(\.end).max() ?? 0) <= (others.spans.map(\.start).min() ?? .infinity)
  }
}

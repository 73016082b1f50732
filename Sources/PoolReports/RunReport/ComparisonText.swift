package import PoolAnalysis
import PoolModel

/// What is different in a run from an earlier one, as text for a terminal.
package enum ComparisonText {
  /// The most rows of a part.
  private static let limit = 10

  /// The comparison, with the last line's end.
  package static func text(of comparison: RunComparison) -> String {
    let parts = [
      summary(comparison), outcomes(comparison),
      parts(comparison.operations, title: "Operations that took another time:", noun: "operation"),
      parts(comparison.groups, title: "Groups that took another time:", noun: "group"),
    ]
    let lines = parts.filter { !$0.isEmpty }.joined(separator: [""])
    return lines.joined(separator: "\n") + "\n"
  }

  private static func summary(_ comparison: RunComparison) -> [String] {
    let elapsed = comparison.elapsed
    let (before, after) = (duration(elapsed.before), duration(elapsed.after))
    var lines = [
      elapsed.isNotable
        ? "The run took \(after), \(difference(elapsed)) than the earlier one, which took \(before)."
        : "The run took \(after), about as long as the earlier one, which took \(before)."
    ]
    if comparison.addedCount > 0 {
      lines.append(
        "\(Plural.of(comparison.addedCount, "operation")) of it: not in the earlier run."
      )
    }
    if comparison.removedCount > 0 {
      let count = Plural.of(comparison.removedCount, "operation")
      lines.append("\(count) of the earlier run: not in this one.")
    }
    return lines
  }

  private static func outcomes(_ comparison: RunComparison) -> [String] {
    guard !comparison.outcomes.isEmpty else { return [] }
    var table = ColumnTable([.left, .left, .left])
    table.add("before", "now", "operation")
    for outcome in comparison.outcomes.prefix(limit) {
      table.add(
        ReportWording.ending(outcome.before),
        ReportWording.ending(outcome.after),
        Printable.name(outcome.id)
      )
    }
    let rest = ColumnTable.rest(of: comparison.outcomes.count, beyond: limit)
    return ["Outcomes that have changed:"] + table.lines + rest
  }

  private static func parts(
    _ parts: [RunComparison.Part],
    title: String,
    noun: String
  ) -> [String] {
    guard !parts.isEmpty else { return [] }
    var table = ColumnTable([.right, .right, .left, .left])
    table.add("before", "now", "", noun)
    for part in parts.prefix(limit) {
      table.add(
        duration(part.change.before),
        duration(part.change.after),
        difference(part.change),
        part.name.map { Printable.name($0) } ?? "(none)"
      )
    }
    return [title] + table.lines + ColumnTable.rest(of: parts.count, beyond: limit)
  }

  private static func difference(_ change: RunComparison.Change) -> String {
    let length = duration(Int64(clamping: change.difference.magnitude))
    return change.difference > 0 ? "\(length) longer" : "\(length) shorter"
  }

  private static func duration(_ nanoseconds: Int64) -> String {
    ReportWording.duration(nanoseconds)
  }
}

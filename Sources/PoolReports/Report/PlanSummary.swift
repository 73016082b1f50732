import PoolWire

/// What a plan counts.
package struct PlanSummary: Hashable, Sendable {
  package var operations: Int
  package var dependencies: Int
  package var levels: Int
  /// Number of operations of the largest level.
  package var widest: Int
  package var barriers = 0
  package var groups = 0
  /// Number of operations whose outcome an earlier run has left.
  package var resumed = 0

  /// The line for people.
  package var text: String {
    var parts = [
      Self.counted(operations, "operation", "operations"),
      Self.counted(dependencies, "dependency", "dependencies"),
      Self.counted(levels, "level", "levels"),
      "widest \(widest)",
    ]
    if barriers > 0 { parts.append(Self.counted(barriers, "barrier", "barriers")) }
    if groups > 0 { parts.append(Self.counted(groups, "group", "groups")) }
    if resumed > 0 { parts.append("\(resumed) resumed") }
    return "opool: " + parts.joined(separator: ", ")
  }

  /// The same as a report.
  package var json: [UInt8] {
    JSONReport.line("plan") { writer in
      writer.field("operations", operations)
      writer.field("dependencies", dependencies)
      writer.field("levels", levels)
      writer.field("widest", widest)
      writer.field("barriers", barriers)
      writer.field("groups", groups)
      writer.field("resumed", resumed)
    }
  }

  private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}

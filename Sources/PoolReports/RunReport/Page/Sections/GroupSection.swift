import PoolAnalysis
import PoolModel

/// The groups with the distributions of their durations, and the operations that took longest.
enum GroupSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    writer.section("groups", "Groups") { writer in
      appendGroups(facts, to: &writer)
      appendSlowest(facts, to: &writer)
    }
  }

  private static func appendGroups(_ facts: PageFacts, to writer: inout PageWriter) {
    let groups = facts.groupsByTime
    let scale = DurationScale(facts.history)
    let columns = [
      "group", "#operations", "#not ok", "#share", "#total", "#median", "#90 %", "#longest",
      "durations",
    ]
    let total = groups.reduce(0) { $0 + facts.analysis.groups[$1].executionTime }
    writer.table("Groups", columns) { writer in
      for group in groups.prefix(rowLimit) {
        writer.element("tr") { append(group, of: total, scale, facts, to: &$0) }
      }
    }
    if groups.count > rowLimit {
      writer.element("p class=\"note\"", "\(groups.count - rowLimit) more groups took less time.")
    }
    writer.element("p class=\"note\"", scale.description)
  }

  private static func append(
    _ group: Int,
    of total: Int64,
    _ scale: DurationScale,
    _ facts: PageFacts,
    to writer: inout PageWriter
  ) {
    let summary = facts.analysis.groups[group]
    writer.element("td") { $0.text(facts.name(ofGroup: group), limit: 80) }
    writer.number("\(summary.members.count)")
    writer.number(summary.failureCount == 0 ? "–" : "\(summary.failureCount)")
    let share = Double(summary.executionTime) / Double(max(total, 1))
    writer.number(ReportWording.share(share))
    writer.number(ReportWording.duration(summary.executionTime))
    let durations = summary.durations
    for time in [durations?.median, durations?.ninetieth, durations?.greatest] {
      writer.number(time.map { ReportWording.duration($0) } ?? "–")
    }
    writer.element("td class=\"span\"") { writer in
      let counts = scale.counts(of: summary.members, in: facts.history)
      DurationScale.append(counts, to: &writer)
    }
  }

  private static func appendSlowest(_ facts: PageFacts, to writer: inout PageWriter) {
    writer.element("h3", "Slowest operations")
    let columns = ["operation", "#executing", "#times its group's median", "#attempts", "command"]
    writer.table("Slowest operations", columns) { writer in
      for place in facts.slowest(20) {
        let operation = facts.history.operations[place]
        writer.element("tr") { writer in
          writer.element("td") { $0.link(toOperation: place, operation.id) }
          writer.number(ReportWording.duration(operation.executionTime))
          writer.number(factor(of: operation, at: place, facts))
          writer.number("\(operation.attempts.count)")
          writer.element("td class=\"command\"") { writer in
            writer.element("code") { $0.text(facts.command(at: place) ?? [], limit: 120) }
          }
        }
      }
    }
  }

  private static func factor(
    of operation: HistoricOperation,
    at place: Int,
    _ facts: PageFacts
  ) -> String {
    let median = facts.analysis.groups[facts.groupPlaces[place]].durations?.median ?? 0
    guard median > 0 else { return "–" }
    let tenths = Int(min(Double(operation.executionTime) * 10 / Double(median), 1e9))
    return "\(tenths / 10).\(tenths % 10) ×"
  }

  private static let rowLimit = 100
}

extension PageFacts {
  /// The places of the groups in the analysis, those that took most time first.
  var groupsByTime: [Int] {
    let groups = analysis.groups
    return groups.indices.sorted {
      (groups[$1].executionTime, $0) < (groups[$0].executionTime, $1)
    }
  }

  /// The places of the operations that executed longest.
  func slowest(_ count: Int) -> [Int] {
    let times = history.operations.indices.map { history.operations[$0].executionTime }
    return Greatest.places(in: times, atMost: count).filter { times[$0] > 0 }
  }
}

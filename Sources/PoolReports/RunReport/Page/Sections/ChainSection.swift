import PoolAnalysis
import PoolModel

/// Why the run took that long: the attempts that decided it, from the end backwards.
enum ChainSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    writer.section("why", "Why it took that long") { writer in
      let chain = facts.analysis.chain
      guard !chain.isEmpty else {
        return writer.element("p class=\"note\"", "No chain of attempts is known.")
      }
      appendSummary(chain, facts, to: &writer)
      let columns = ["operation", "it had waited for", "#executed", "time"]
      writer.table("The chain of attempts, the last one first", columns) { writer in
        for row in Self.rows(of: chain).prefix(rowLimit) {
          writer.element("tr") { append(row, facts, to: &$0) }
        }
      }
    }
  }

  /// A step, or several that follow each other only because all slots were busy, or because starts
  /// had to be apart.
  private struct Row {
    var steps: [DecidingStep]
    var reason: DecidingStep.Reason { steps[steps.count - 1].reason }
    var start: Instant { steps[steps.count - 1].started }
    var end: Instant { steps[0].finished }
  }

  private static func rows(of chain: [DecidingStep]) -> [Row] {
    var rows: [Row] = []
    for step in chain.reversed() {
      if [.slot, .delay].contains(step.reason), rows.last?.reason == step.reason {
        rows[rows.count - 1].steps.append(step)
      } else {
        rows.append(Row(steps: [step]))
      }
    }
    return rows
  }

  private static func appendSummary(
    _ chain: [DecidingStep],
    _ facts: PageFacts,
    to writer: inout PageWriter
  ) {
    let time = chain.reduce(0) { $0 + $1.finished.nanoseconds - $1.started.nanoseconds }
    let whole = ReportWording.duration(facts.analysis.elapsed)
    let waits = chain.count { $0.reason == .slot }
    let attempts = Plural.of(chain.count, "attempt")
    writer.markup("<p>From the end backwards: what each attempt had waited for last. ")
    writer.text("A chain of \(attempts) executed for \(ReportWording.duration(time)) of \(whole). ")
    writer.text("\(waits) of them had waited for a free slot.")
    writer.markup("</p>")
  }

  private static func append(_ row: Row, _ facts: PageFacts, to writer: inout PageWriter) {
    writer.element("td") { writer in
      if row.steps.count > 1 { writer.element("b", "\(row.steps.count) attempts: ") }
      facts.links(row.steps.prefix(3).map(\.operation), to: &writer)
      if row.steps.count > 3 { writer.text(" and \(row.steps.count - 3) more") }
    }
    writer.element("td", ReportWording.reason(row.reason))
    writer.number(ReportWording.duration(row.end.nanoseconds - row.start.nanoseconds))
    writer.element("td class=\"span\"") { writer in
      writer.span(facts.position(row.start), facts.position(row.end), "f-succeeded")
    }
  }

  private static let rowLimit = 100
}

extension PageWriter {
  /// Appends a picture of a span of the run's time; both ends are from 0 to 1.
  mutating func span(_ start: Double, _ end: Double, _ style: StaticString) {
    markup("<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\"")
    markup(" aria-hidden=\"true\"><rect class=\"")
    markup(style)
    markup("\" height=\"10\"")
    attribute("x", min(start * 1_000, 996))
    attribute("width", max((end - start) * 1_000, 4))
    markup("/></svg>")
  }
}

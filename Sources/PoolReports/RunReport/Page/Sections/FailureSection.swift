import PoolAnalysis
import PoolEvents
import PoolModel

/// What did not succeed: failures, attempts that were repeated, timeouts, deaths of workers.
enum FailureSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    let analysis = facts.analysis
    let timeouts = Timeouts(facts)
    writer.section("failures", "Failures and attempts that were repeated") { writer in
      let isEmpty =
        analysis.failures.isEmpty && timeouts.operations.isEmpty && analysis.repeated.isEmpty
        && analysis.deaths.isEmpty
      if isEmpty { writer.element("p class=\"note\"", "Nothing failed, and nothing was repeated.") }
      appendFailures(facts, to: &writer)
      appendTimeouts(timeouts, facts, to: &writer)
      appendRepeated(facts, to: &writer)
      appendDeaths(facts, to: &writer)
    }
  }

  private static func appendFailures(_ facts: PageFacts, to writer: inout PageWriter) {
    let failures = facts.analysis.failures
    guard !failures.isEmpty else { return }
    writer.element("ul class=\"failures\"") { writer in
      for failure in failures.prefix(rowLimit) {
        writer.element("li") { append(failure, facts, to: &$0) }
      }
    }
    appendRest(failures.count, "group of failures", "groups of failures", to: &writer)
  }

  private static func append(
    _ failure: FailureGroup,
    _ facts: PageFacts,
    to writer: inout PageWriter
  ) {
    let count = failure.members.count
    writer.element("b", "\(count) \(ReportWording.ending(failure.ending))")
    let message = facts.message(failure.message)
    writer.text(message.isEmpty ? ": \(failure.cause?.rawValue ?? "unknown cause")" : ": ")
    writer.text(Array(message.utf8), limit: messageLimit)
    writer.markup("<br>")
    facts.links(failure.members, to: &writer)
    guard let command = facts.command(at: failure.members[0]) else {
      return
    }
    writer.element("pre") { $0.text(command, limit: messageLimit) }
  }

  private static func appendTimeouts(
    _ timeouts: Timeouts,
    _ facts: PageFacts,
    to writer: inout PageWriter
  ) {
    guard !timeouts.operations.isEmpty else { return }
    writer.element("h3", "Timeouts")
    writer.table("Timeouts", ["operation", "#limit", "#typical in its group", "#attempts"]) {
      writer in
      for place in timeouts.operations.prefix(rowLimit) {
        let operation = facts.history.operations[place]
        let typical = timeouts.typical(inGroupOf: place)
        writer.element("tr") { writer in
          writer.element("td") { $0.link(toOperation: place, operation.id) }
          writer.number(operation.submitted.timeout.map { ReportWording.duration($0) } ?? "–")
          writer.number(typical.map { ReportWording.duration($0) } ?? "–")
          writer.number("\(operation.attempts.count)")
        }
      }
    }
    appendRest(timeouts.operations.count, "operation", "operations", to: &writer)
  }

  private static func appendRepeated(_ facts: PageFacts, to writer: inout PageWriter) {
    let repeated = facts.analysis.repeated
    guard !repeated.isEmpty else { return }
    writer.element("h3", "Repeated attempts")
    writer.table("Repeated attempts", ["reason", "#attempts", "#time", "operations"]) { writer in
      for group in repeated.prefix(rowLimit) {
        writer.element("tr") { writer in
          writer.element("td") {
            $0.text(Array(facts.reason(group.reason).utf8), limit: messageLimit)
          }
          writer.number("\(group.count)")
          writer.number(ReportWording.duration(group.time))
          writer.element("td") { facts.links(group.operations, to: &$0) }
        }
      }
    }
    appendRest(repeated.count, "reason", "reasons", to: &writer)
  }

  private static func appendDeaths(_ facts: PageFacts, to writer: inout PageWriter) {
    let deaths = facts.analysis.deaths
    guard !deaths.isEmpty else { return }
    writer.element("h3", "Deaths of workers")
    writer.table("Deaths of workers", ["what happened", "#workers", "which"]) { writer in
      for death in deaths.prefix(rowLimit) {
        writer.element("tr") { writer in
          writer.element("td") {
            $0.text(Array(facts.reason(death.message).utf8), limit: messageLimit)
          }
          writer.number("\(death.workers.count)")
          let names = death.workers.prefix(10).map { "\(facts.history.workers[$0].id)" }
            .joined(separator: ", ")
          writer.element("td", names + (death.workers.count > 10 ? " and more" : ""))
        }
      }
    }
    appendRest(deaths.count, "cause", "causes", to: &writer)
  }

  /// Says how many rows a list does not show.
  private static func appendRest(
    _ count: Int,
    _ noun: String,
    _ nouns: String,
    to writer: inout PageWriter
  ) {
    guard count > rowLimit else { return }
    let rest = count - rowLimit
    writer.element("p class=\"note\"", "\(rest) more \(rest == 1 ? noun : nouns)")
  }

  private static let rowLimit = 20
  private static let messageLimit = 400
}

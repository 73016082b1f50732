import PoolAnalysis
import PoolModel

/// The table of all operations: the first rows without scripts, and all of them with.
enum OperationSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    let operations = facts.history.operations
    writer.section("operations", "All operations") { writer in
      writer.markup("<div id=\"list\" class=\"scroll\" tabindex=\"0\" role=\"group\"")
      writer.markup(" aria-label=\"Operations\">")
      writer.markup("<table id=\"table\"><thead><tr><th scope=\"col\">operation</th>")
      writer.markup("<th scope=\"col\">group</th><th scope=\"col\">outcome</th>")
      writer.markup("<th class=\"n\" scope=\"col\">ready</th>")
      writer.markup("<th class=\"n\" scope=\"col\">waited</th>")
      writer.markup("<th class=\"n\" scope=\"col\">executed</th>")
      writer.markup("<th class=\"n\" scope=\"col\">processor</th>")
      writer.markup("<th class=\"n\" scope=\"col\">attempts</th></tr></thead><tbody id=\"rows\">")
      for place in operations.indices.prefix(rowLimit) {
        writer.element("tr") { append(place, facts, to: &$0) }
      }
      writer.markup("</tbody></table></div>")
      guard operations.count > rowLimit else { return }
      let rest = operations.count - rowLimit
      writer.markup("<noscript><p class=\"note\">")
      writer.text("Scripts show \(Plural.of(rest, "more operation")).")
      writer.markup("</p></noscript>")
    }
    writer.markup(
      "<aside id=\"panel\" aria-label=\"Details of an operation\" tabindex=\"-1\" hidden>"
    )
    writer.markup("</aside><div id=\"tip\" role=\"tooltip\" hidden></div>")
  }

  private static func append(_ place: Int, _ facts: PageFacts, to writer: inout PageWriter) {
    let operation = facts.history.operations[place]
    let ready = facts.ready[place]
    let wait = operation.attempts.first.flatMap { attempt in
      ready.map { max(attempt.started.nanoseconds - $0.nanoseconds, 0) }
    }
    writer.element("td") { $0.link(toOperation: place, operation.id) }
    writer.element("td") { $0.text(facts.name(ofGroup: facts.groupPlaces[place]), limit: 80) }
    writer.element("td", ReportWording.ending(operation.ending))
    writer.number(ready.map { ReportWording.duration($0.nanoseconds) } ?? "–")
    writer.number(wait.map { ReportWording.duration($0) } ?? "–")
    let isExecuted = !operation.attempts.isEmpty
    writer.number(isExecuted ? ReportWording.duration(operation.executionTime) : "–")
    writer.number(operation.processorTime.map { ReportWording.duration($0) } ?? "–")
    writer.number("\(operation.attempts.count)")
  }

  private static let rowLimit = 100
}

extension HistoricOperation {
  /// Nanoseconds of processor time of all attempts; nil where none says it.
  var processorTime: Int64? {
    let times = attempts.compactMap(\.processorTime)
    return times.isEmpty ? nil : times.reduce(0, +)
  }
}

/// What the numbers of a page are, and what it does not show.
enum AboutSection {
  static func append(_ facts: PageFacts, to writer: inout PageWriter) {
    writer.section("about", "About the data") { writer in
      writer.element("ul class=\"notes\"") { writer in
        for sentence in sentences(facts) { writer.element("li", sentence) }
      }
    }
  }

  private static func sentences(_ facts: PageFacts) -> [String] {
    var sentences = [
      "All times are those of the run's clock; workers measure when an attempt began and ended.",
      "What an idle slot waited for is derived from the states of all operations at that time.",
      "The curve of processors spreads the processor time of each attempt over its duration.",
      "A slot of the timeline is a worker; a worker that replaces another one takes its slot.",
      "Slots that no worker had yet, or that wide operations used, have no row of their own.",
    ]
    if facts.options.omissions.contains(.commands) {
      sentences.append("Commands, the command line and its folder are left out.")
    }
    if facts.hidesOutputs { sentences.append("What operations and workers said is left out.") }
    return sentences
  }
}

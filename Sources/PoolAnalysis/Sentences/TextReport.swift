import PoolEvents
import PoolModel
import PoolText

/// The report of a run as text, for a terminal.
package enum TextReport {
  /// The most rows of a part whose length grows with the run.
  private static let limit = 10
  /// The columns of the command line.
  private static let commandColumns = 200

  /// The whole report.
  package static func text(of analysis: RunAnalysis) -> String {
    let parts = [
      head(analysis), ReportWording.verdict(analysis), advice(analysis), account(analysis),
      failures(analysis), repeated(analysis), deaths(analysis), chain(analysis), groups(analysis),
      slowest(analysis),
    ]
    let lines = parts.filter { !$0.isEmpty }.joined(separator: [""])
    return Printable.lines(lines.joined(separator: "\n")) + "\n"
  }

  /// The command line, and on what it was executed.
  private static func head(_ analysis: RunAnalysis) -> [String] {
    guard let began = analysis.history.began else { return [] }
    var lines: [String] = []
    if let arguments = began.arguments { lines.append(command(arguments)) }
    var facts = [DateFormat.utc(began.start)]
    if let host = began.host { facts.append(Printable.text(host)) }
    if let cores = began.cores { facts.append(Plural.of(cores, "core")) }
    if let memory = began.memory { facts.append(ByteSize.rough(memory)) }
    if let version = began.version { facts.append("opool \(Printable.text(version))") }
    if let code = analysis.history.exitCode { facts.append("exit code \(code)") }
    return lines + [facts.joined(separator: ", ")]
  }

  /// The command line: as many whole arguments as have room, and the number of the others.
  private static func command(_ arguments: [[UInt8]]) -> String {
    var line = "opool"
    for (place, argument) in arguments.enumerated() {
      let next = "\(line) \(Printable.text(ShellQuoting.line([argument])))"
      guard DisplayWidth.of(next) <= commandColumns else {
        let rest = Plural.of(arguments.count - place, "more argument")
        let cut = place == 0 ? DisplayWidth.truncate(next, to: commandColumns) : line
        return "\(cut) … and \(rest)"
      }
      line = next
    }
    return line
  }

  private static func advice(_ analysis: RunAnalysis) -> [String] {
    guard !analysis.advice.isEmpty else { return [] }
    var table = ColumnTable([.right, .right, .left])
    for advice in analysis.advice {
      table.add(
        ReportWording.duration(advice.elapsed),
        "\(ReportWording.duration(advice.saved)) less",
        Printable.text(ReportWording.change(advice.change, in: analysis.history))
      )
    }
    return ["What would have been faster, as the pool's core finds in virtual time:"] + table.lines
  }

  private static func account(_ analysis: RunAnalysis) -> [String] {
    let account = analysis.account
    guard account.total > 0 else { return [] }
    var table = ColumnTable([.right, .right, .left])
    for part in account.parts {
      table.add(
        ReportWording.share(Double(part.time) / Double(account.total)),
        ReportWording.duration(part.time),
        Printable.text(ReportWording.use(part.use))
      )
    }
    let slots = Plural.of(account.width, "slot")
    return ["What the \(slots) did:"] + table.lines
  }

  private static func failures(_ analysis: RunAnalysis) -> [String] {
    guard !analysis.failures.isEmpty else { return [] }
    var table = ColumnTable([.right, .left])
    for failure in analysis.failures.prefix(limit) {
      let message = failure.message.isEmpty ? "" : ": \(Printable.text(failure.message))"
      table.add(
        "\(failure.members.count)",
        "\(ReportWording.ending(failure.ending))\(message): \(names(failure.members, analysis))"
      )
    }
    return ["What went wrong:"] + table.lines
      + ColumnTable.rest(of: analysis.failures.count, beyond: limit)
  }

  private static func repeated(_ analysis: RunAnalysis) -> [String] {
    guard !analysis.repeated.isEmpty else { return [] }
    var table = ColumnTable([.right, .right, .left])
    for group in analysis.repeated.prefix(limit) {
      table.add(
        "\(group.count)",
        ReportWording.duration(group.time),
        "\(Printable.text(group.reason)): \(names(group.operations, analysis))"
      )
    }
    return ["Attempts that were repeated:"] + table.lines
      + ColumnTable.rest(of: analysis.repeated.count, beyond: limit)
  }

  private static func deaths(_ analysis: RunAnalysis) -> [String] {
    guard !analysis.deaths.isEmpty else { return [] }
    var table = ColumnTable([.right, .left])
    for death in analysis.deaths.prefix(limit) {
      table.add("\(death.workers.count)", Printable.text(death.message))
    }
    return ["Workers that died:"] + table.lines
      + ColumnTable.rest(of: analysis.deaths.count, beyond: limit)
  }

  /// The longest steps of the deciding chain, in the order of time.
  private static func chain(_ analysis: RunAnalysis) -> [String] {
    let chain = analysis.chain
    guard chain.count > 1 || chain.first.map({ !$0.reason.isEnd }) == true else { return [] }
    let lengths = chain.map { $0.finished.nanoseconds - $0.started.nanoseconds }
    let longest = Set(chain.indices.sorted { lengths[$1] < lengths[$0] }.prefix(limit))
    var table = ColumnTable([.right, .right, .left, .left])
    for place in chain.indices where longest.contains(place) {
      let step = chain[place]
      table.add(
        "at \(ReportWording.duration(step.started.nanoseconds))",
        ReportWording.duration(lengths[place]),
        name(step.operation, analysis),
        "after \(Printable.text(ReportWording.reason(step.reason)))"
      )
    }
    let rest = chain.count - longest.count
    let title =
      rest > 0
      ? "Why it took that long: the longest \(longest.count) of \(chain.count) steps, each of which"
        + " waited for the one before it:" : "Why it took that long:"
    return [title] + table.lines
  }

  private static func groups(_ analysis: RunAnalysis) -> [String] {
    guard analysis.groups.count > 1 else { return [] }
    let groups = analysis.groups.sorted { $1.executionTime < $0.executionTime }
    var table = ColumnTable([.right, .right, .right, .right, .right, .right, .left])
    table.add("operations", "failed", "time", "median", "90 %", "longest", "group")
    for group in groups.prefix(limit) {
      table.add(
        "\(group.members.count)",
        "\(group.failureCount)",
        ReportWording.duration(group.executionTime),
        group.durations.map { ReportWording.duration($0.median) } ?? "",
        group.durations.map { ReportWording.duration($0.ninetieth) } ?? "",
        group.durations.map { ReportWording.duration($0.greatest) } ?? "",
        group.name.map { Printable.name($0) } ?? "(none)"
      )
    }
    return ["Groups:"] + table.lines + ColumnTable.rest(of: groups.count, beyond: limit)
  }

  private static func slowest(_ analysis: RunAnalysis) -> [String] {
    let operations = analysis.history.operations
    let times = operations.indices.map { operations[$0].executionTime }
    let slowest = Greatest.places(in: times, atMost: limit).filter { times[$0] > 0 }
    guard !slowest.isEmpty else { return [] }
    var table = ColumnTable([.right, .left, .left])
    for place in slowest {
      let attempts = operations[place].attempts.count
      table.add(
        ReportWording.duration(times[place]),
        name(place, analysis),
        attempts > 1 ? "in \(attempts) attempts" : ""
      )
    }
    return ["What took longest:"] + table.lines
  }

  // MARK: Names

  private static func name(_ place: Int, _ analysis: RunAnalysis) -> String {
    analysis.history.operations[place].label
  }

  /// Some operations: three names, and how many others there are.
  private static func names(_ places: [Int], _ analysis: RunAnalysis) -> String {
    let names = places.prefix(3).map { name($0, analysis) }.joined(separator: ", ")
    return places.count > 3 ? "\(names) and \(places.count - 3) more" : names
  }
}

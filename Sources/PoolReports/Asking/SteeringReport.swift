import PoolAnalysis
package import PoolModel
import PoolText
import PoolWire

/// What has become of a request to steer a run.
package struct SteeringReport: Hashable, Sendable {
  /// An operation, or a group, that was to be cancelled.
  package struct Target: Hashable, Sendable {
    /// UTF-8.
    package var id: [UInt8]
    package var isGroup: Bool
    /// Number of its operations by how they have ended since; one that had ended before is none.
    package var ended: [PoolEnding: Int]
    /// Number of its operations that have not ended.
    package var openCount: Int

    package init(_ id: [UInt8], isGroup: Bool, ended: [PoolEnding: Int], openCount: Int) {
      (self.id, self.isGroup, self.ended, self.openCount) = (id, isGroup, ended, openCount)
    }
  }

  package enum Result: Hashable, Sendable {
    /// The targets, how many operations are skipped because of them, and how many of these are
    /// still to be.
    case cancel([Target], skipped: Int, pending: Int)
    /// So many slots instead of so many before, while so many operations execute.
    case scale(to: Int, from: Int, executing: Int)
    /// So many operations execute; so many are with workers and about to begin.
    case pause(executing: Int, unstarted: Int)
    /// A pause of so many nanoseconds is over; nil if there was none.
    case unpause(after: Int64?)
  }

  package var result: Result
  /// What else holds operations back, for people.
  package var notes: [String]

  package init(_ result: Result, notes: [String] = []) {
    (self.result, self.notes) = (result, notes)
  }

  /// Whether it has happened.
  package var isComplete: Bool {
    switch result {
    case .cancel(let targets, _, _): targets.allSatisfy { $0.openCount == 0 }
    case .pause(_, let unstarted): unstarted == 0
    case .scale, .unpause: true
    }
  }

  /// The lines for people.
  package var lines: [String] {
    switch result {
    case .cancel(let targets, let skipped, let pending):
      return targets.map(\.text) + Self.skips(skipped, pending: pending) + notes
    case .scale(let width, let before, let executing):
      let over = executing - width
      let rest =
        over > 0
        ? ["\(executing) execute: \(over) more than that, which go on to their end"] : []
      let was = width == before ? "as before" : "\(before) before"
      return ["\(width) at once, \(was)"] + rest + notes
    case .pause(let executing, let unstarted):
      let coming = Plural.of(unstarted, "operation")
      let first =
        unstarted == 0
        ? "paused: nothing begins until 'opool unpause'"
        : "paused, but workers have \(coming) already, which they are about to begin"
      let rest = executing > 0 ? ["\(executing) execute, and go on to their end"] : []
      return [first] + rest + notes
    case .unpause(let length):
      guard let length else { return ["it was not paused by 'opool pause'"] + notes }
      return ["unpaused, after \(DurationFormat.rough(length))"] + notes
    }
  }

  private static func skips(_ count: Int, pending: Int) -> [String] {
    guard count > 0 else { return [] }
    let verb = pending > 0 ? "will be" : count == 1 ? "is" : "are"
    return ["\(count) that \(count == 1 ? "depends" : "depend") on that \(verb) skipped"]
  }

  /// The lines as bytes, each with its end.
  package func text(asJSON: Bool) -> [UInt8] {
    asJSON ? json : Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private var json: [UInt8] {
    JSONReport.line("steering") { writer in
      switch result {
      case .cancel(let targets, let skipped, _):
        writer.field("action", "cancel")
        writer.key("complete")
        writer.bool(isComplete)
        writer.key("targets")
        writer.objects(targets) { writer, target in target.append(to: &writer) }
        writer.field("skipped", skipped)
      case .scale(let width, let before, let executing):
        writer.field("action", "scale")
        writer.key("complete")
        writer.bool(isComplete)
        writer.field("width", width)
        writer.field("before", before)
        writer.field("executing", executing)
      case .pause(let executing, let unstarted):
        writer.field("action", "pause")
        writer.key("complete")
        writer.bool(isComplete)
        writer.field("executing", executing)
        writer.field("beginning", unstarted)
      case .unpause(let length):
        writer.field("action", "unpause")
        writer.key("complete")
        writer.bool(isComplete)
        writer.optional("paused", length) { $0.seconds($1) }
      }
      writer.key("notes")
      writer.array(notes) { $0.string($1) }
    }
  }
}

extension SteeringReport.Target {
  fileprivate var text: String {
    let name = Printable.name(id)
    guard isGroup else {
      guard let ending = ended.keys.first else { return "\(name): is still ending" }
      let before = ending == .cancelled ? "" : " before it could be cancelled"
      return "\(name): \(ReportWording.ending(ending))\(before)"
    }
    let count = ended.values.reduce(openCount, +)
    var parts = PoolEnding.allCases.compactMap { ending in
      ended[ending].map { "\($0) \(ReportWording.ending(ending))" }
    }
    if openCount > 0 { parts.append("\(openCount) still ending") }
    return "\(name): a group, \(Plural.of(count, "operation")): \(parts.joined(separator: ", "))"
  }

  fileprivate func append(to writer: inout JSONWriter) {
    writer.key("id")
    writer.string(id)
    for ending in PoolEnding.allCases {
      guard let count = ended[ending] else { continue }
      writer.key(Array(ending.name.utf8))
      writer.integer(count)
    }
    writer.field("open", openCount)
  }
}

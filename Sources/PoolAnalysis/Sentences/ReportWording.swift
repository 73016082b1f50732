import PoolEvents
package import PoolModel

/// The sentences and labels that the report as text and the page have in common.
///
/// Names of operations, groups and resources are as they were recorded: who shows a sentence
/// escapes it for where it goes.
package enum ReportWording {
  /// What a slot was used for, or what it waited for: `waited for dependencies`.
  package static func use(_ use: SlotUse) -> String {
    switch use {
    case .succeeded: "executed what succeeded"
    case .unsuccessful: "executed what did not succeed"
    case .unfinished: "executed what had not ended"
    case .repeated: "executed attempts that were repeated"
    case .starting: "waited for a worker to start"
    case .input: "waited for operations to be submitted"
    case .dependencies: "waited for dependencies"
    case .limit(let name): "waited for \(name.words)"
    case .room: "waited for more free slots"
    case .retry: "waited to try again"
    case .handover: "waited for an operation to reach a worker"
    case .delay: "waited for the time between two starts (--delay)"
    case .pause: "waited for the end of a pause"
    case .ending: "had nothing left to begin"
    }
  }

  /// A change of the run: `with 4 slots`.
  package static func change(_ change: Advice.Change, in history: RunHistory) -> String {
    switch change {
    case .slots(let count): "with \(Plural.of(count, "slot"))"
    case .limit(let name, let units):
      switch name.source {
      case .limit: "with \(Plural.of(units, "unit")) of \(name.words)"
      case .exclusive: "if \(units) operations at once could take \(name.words)"
      }
    case .criticalPath: "with the longest chains of dependents first"
    case .halvedGroup(let name): "if the operations of \(text(name)) took half the time"
    case .halvedOperation(let place):
      "if \(text(history.operations[place].id)) took half the time"
    }
  }

  /// What an attempt of the deciding chain had waited for last: `the end of a dependency`.
  package static func reason(_ reason: DecidingStep.Reason) -> String {
    switch reason {
    case .beginning: "the beginning of the run"
    case .dependency: "the end of a dependency"
    case .barrier: "the end of everything before a barrier"
    case .limit(let name): name.words
    case .slot: "a free slot"
    case .pause: "the end of a pause"
    case .width: "a greater number of slots"
    case .delay: "the time between two starts (--delay)"
    case .retry: "the attempt before it"
    }
  }

  /// How an operation ended: `timed out`.
  package static func ending(_ ending: PoolEnding?) -> String {
    switch ending {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .timedOut: "timed out"
    case .lost: "lost"
    case .skipped: "skipped"
    case nil: "unfinished"
    }
  }

  /// Nanoseconds with three digits, or as a clock shows them from a minute on: `0.23 s`, `1:02:03`.
  package static func duration(_ nanoseconds: Int64) -> String {
    let time = max(nanoseconds, 0)
    return switch time {
    case 0: "0 s"
    case ..<9_950_000: decimal(time, unit: 1_000_000, decimals: 1) + " ms"
    case ..<99_500_000: decimal(time, unit: 1_000_000, decimals: 0) + " ms"
    case ..<9_995_000_000: decimal(time, unit: 1_000_000_000, decimals: 2) + " s"
    case ..<59_950_000_000: decimal(time, unit: 1_000_000_000, decimals: 1) + " s"
    default: clock(time)
    }
  }

  /// A share from 0 to 1 in per cent: `8.2 %`, `92 %`.
  package static func share(_ share: Double) -> String {
    let tenths = Int((share * 1_000).rounded())
    if tenths == 0, share > 0 { return "< 0.1 %" }
    return tenths < 100 || tenths > 990 && tenths < 1_000
      ? "\(tenths / 10).\(tenths % 10) %" : "\((tenths + 5) / 10) %"
  }

  private static func clock(_ time: Int64) -> String {
    let seconds = time / 1_000_000_000 + (time % 1_000_000_000 < 500_000_000 ? 0 : 1)
    func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (minutes, rest) = (seconds / 60, twoDigits(seconds % 60))
    return minutes < 60
      ? "\(minutes):\(rest) min" : "\(minutes / 60):\(twoDigits(minutes % 60)):\(rest) h"
  }

  private static func decimal(_ time: Int64, unit: Int64, decimals: Int) -> String {
    let scale: Int64 = decimals == 0 ? 1 : decimals == 1 ? 10 : 100
    let parts = (time * scale + unit / 2) / unit
    guard scale > 1 else { return "\(parts)" }
    return "\(parts / scale).\(String(parts % scale + scale).dropFirst())"
  }

  private static func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
}

// MARK: - The verdict

extension ReportWording {
  /// What happened in a run, the most important sentence first.
  package static func verdict(_ analysis: RunAnalysis) -> [String] {
    [outcome(analysis)] + end(of: analysis.history) + steering(of: analysis.history)
      + busyness(analysis) + waste(analysis)
  }

  /// How many operations ended in which way, in how long.
  private static func outcome(_ analysis: RunAnalysis) -> String {
    var counts: [PoolEnding: Int] = [:]
    for ending in PoolEnding.allCases {
      let number = analysis.groups.reduce(0) { $0 + $1.count(ending) }
      if number > 0 { counts[ending] = number }
    }
    let (count, succeeded) = (analysis.history.operations.count, counts[.succeeded] ?? 0)
    let unfinished = count - counts.values.reduce(0, +)
    let time = duration(analysis.elapsed)
    guard count > 0 else { return "The run had no operations, and took \(time)." }
    let earlier = analysis.history.operations.indices.count { place in
      analysis.history.operations[place].end?.isResumed == true
    }
    let resumed = earlier > 0 ? " (\(earlier) of them in an earlier run)" : ""
    guard succeeded < count else {
      let subject = count == 1 ? "The operation" : "All \(count) operations"
      return "\(subject) succeeded\(resumed) in \(time)."
    }
    var others = PoolEnding.allCases.dropFirst().compactMap { ending in
      counts[ending].map { "\($0) \(isPassive(ending) ? verb($0) : "")\(Self.ending(ending))" }
    }
    if unfinished > 0 { others.append("\(unfinished) had not ended") }
    let rest = others.joined(separator: ", ")
    let all = Plural.of(count, "operation")
    return "\(succeeded) of \(all) succeeded\(resumed) in \(time): \(rest)."
  }

  private static func isPassive(_ ending: PoolEnding) -> Bool {
    [.cancelled, .lost, .skipped].contains(ending)
  }

  private static func verb(_ count: Int) -> String { count == 1 ? "was " : "were " }

  /// Whether the run ended early.
  private static func end(of history: RunHistory) -> [String] {
    var sentences: [String] = []
    if let halted = history.halted {
      let failed = Plural.of(halted.failedCount, "failure")
      sentences.append("The policy '\(halted.policy)' ended the run after \(failed).")
    }
    if history.exitCode == nil, !history.goesOn {
      sentences.append(
        "The records end there without an end of the run: it was killed, or it goes on."
      )
    }
    return sentences
  }

  /// How busy the slots were, and what they mostly waited for.
  private static func busyness(_ analysis: RunAnalysis) -> [String] {
    let account = analysis.account
    // What was done between the last record and the end is not known.
    guard account.total > 0, analysis.history.exitCode != nil || analysis.history.goesOn else {
      return []
    }
    let slots = Plural.of(account.width, "slot")
    let busy = "The \(slots) executed operations for \(share(account.busyShare)) of the time."
    guard account.busyShare < 0.99, let idle = account.parts.first(where: { $0.use.isIdle }) else {
      return [busy]
    }
    let part = share(Double(idle.time) / Double(account.total))
    return [busy, "For \(part) of the time slots \(use(idle.use)): the largest part of idle time."]
  }

  /// How much went into attempts that did not succeed, if that matters.
  private static func waste(_ analysis: RunAnalysis) -> [String] {
    let account = analysis.account
    let wasted = account.parts.filter { [.repeated, .unsuccessful].contains($0.use) }
    let time = wasted.reduce(0) { $0 + $1.time }
    let part = Double(time) / Double(max(account.total, 1))
    guard part >= 0.005 else { return [] }
    return [
      "Attempts that did not succeed took \(duration(time)) of slot time (\(share(part)))."
    ]
  }
}

package import PoolModel

/// What a run came to: counts, and the first operations that did not succeed.
package struct Summary: Hashable, Sendable {
  /// How many failures are told one by one.
  package static let limit = 20

  private var counts = [Int](repeating: 0, count: PoolEnding.allCases.count)
  private var failures: [Failure] = []
  /// Operations for which there was no worker, beyond the first, which is told for all.
  private var unserved = 0
  /// Operations that were skipped because all went well.
  private var unneeded = 0
  /// Operations whose outcome came from a journal.
  private var resumed = 0

  fileprivate struct Failure: Hashable {
    var id: String
    var outcome: PoolEnding
    var reason: String?
    var line: Int?
  }

  /// As `PoolFailure.cause` has it.
  private static let noWorker = "noWorker"

  package init() {}

  /// How many operations ended so.
  package func count(_ ending: PoolEnding) -> Int {
    counts[Int(ending.rawValue)]
  }

  /// How many operations failed, timed out or were lost.
  package var failureCount: Int {
    PoolEnding.failures.reduce(0) { $0 + count($1) }
  }

  /// 0 where every operation succeeded or was not needed, otherwise 1.
  package var exitCode: ExitCode {
    let others = PoolEnding.allCases.filter { $0 != .succeeded }
    let count = others.reduce(0) { $0 + self.count($1) }
    return count == unneeded ? .success : .operationsFailed
  }

  /// Adds an operation, and the line of the manifest that it came from.
  ///
  /// One was not needed where it was skipped because what it came after succeeded: somebody's
  /// `"when": "failed"`, which is no failure of the run.
  package mutating func add(
    _ report: OperationReport,
    line: Int? = nil,
    isUnneeded: Bool = false
  ) {
    add(report.outcome)
    if isUnneeded { unneeded += 1 }
    if report.isResumed { resumed += 1 }
    guard report.outcome.isFailure else { return }
    if report.cause == Self.noWorker {
      unserved += 1
      guard unserved == 1 else { return }
    }
    guard failures.count < Self.limit else { return }
    failures.append(
      Failure(
        id: Printable.text(report.id),
        outcome: report.outcome,
        reason: report.reason.map { Printable.text($0) },
        line: line
      )
    )
  }

  /// Adds an operation that there is nothing to say about.
  package mutating func add(_ ending: PoolEnding) {
    counts[Int(ending.rawValue)] += 1
  }

  /// The lines for the standard error at the end: the operations that failed, where in the
  /// manifest they are, and, unless quiet, how many ended how.
  package func lines(
    manifest: [UInt8]?,
    elapsed: Int64,
    verbosity: SharedOptions.Verbosity = .normal
  ) -> [String] {
    var lines = failures.map { $0.text(manifest: manifest.map { Printable.text($0) }) }
    let alike = max(unserved - 1, 0)
    if alike > 0 { lines.append("… and \(alike) more for want of a worker") }
    let others = failureCount - failures.count - alike
    if others > 0 { lines.append("… and \(others) more") }
    if verbosity != .quiet { lines.append(total(elapsed: elapsed)) }
    return lines
  }

  /// The line for the standard error where so many outputs were not printed: an operation that did
  /// not succeed may have one, too.
  package func unprintedLine(_ count: Int) -> String {
    let fact = "opool: \(count) output\(count == 1 ? " was" : "s were") not printed"
    return count > self.count(.succeeded)
      ? fact + ", also of operations that did not succeed" : fact
  }

  private func total(elapsed: Int64) -> String {
    let parts = PoolEnding.allCases.filter { $0 == .succeeded || count($0) > 0 }
      .map { "\(count($0)) \($0.words)" }
    let known = resumed > 0 ? " (\(resumed) resumed)" : ""
    return "opool: \(parts.joined(separator: ", "))\(known) in \(DurationText.rough(elapsed))"
  }
}

extension Summary.Failure {
  fileprivate func text(manifest: String?) -> String {
    var place = "opool: "
    if let manifest, let line { place = "\(manifest):\(line): " }
    let reason = self.reason.map { ": " + $0 } ?? ""
    return "\(place)\(id): \(outcome.words)\(reason)"
  }
}

extension PoolEnding {
  /// As it is said to people.
  fileprivate var words: String {
    self == .timedOut ? "timed out" : name
  }
}

extension OperationReport {
  /// Why it did not succeed: the message, or else what is known.
  fileprivate var reason: String? {
    if let message { return message }
    if let exit { return PoolExitStatus.exited(exit).description }
    if let signal { return PoolExitStatus.signaled(signal).description }
    return cause
  }
}

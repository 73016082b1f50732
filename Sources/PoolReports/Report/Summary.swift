package import PoolEvents
package import PoolInputs
package import PoolModel
import PoolText

/// The summary of a run: counts, and the first operations that did not succeed.
package struct Summary: Hashable, Sendable {
  /// Maximum number of listed failures.
  package static let limit = 20

  private var counts = [Int](repeating: 0, count: PoolEnding.allCases.count)
  package private(set) var failures: [Failure] = []
  /// The listed failures by their numbers, for the operations that are skipped because of them.
  private var places: [Int: Int] = [:]
  /// Number of operations without a worker, after the first, which is listed for all.
  private var withoutWorker = 0
  /// Number of attempts that failed and were followed by another one.
  package private(set) var retried = 0
  /// Number of failure handlers that were skipped after success.
  private var unneeded = 0
  /// Number of operations whose outcome came from a journal.
  package private(set) var resumed = 0
  /// What may be wrong with the first operation of which that is known.
  private var hint: String?

  /// An operation that did not succeed.
  package struct Failure: Hashable {
    /// Its identifier, UTF-8.
    package var id: [UInt8]
    /// Its name for people, UTF-8.
    package var title: [UInt8]
    package var ending: PoolEnding
    package var reason: String?
    package var line: Int?
    /// Its input and what it executed, if known.
    package var input: String?
    package var command: String?
    /// Whether an earlier run executed it.
    package var isResumed: Bool
    /// Where it was told when it ended.
    package var telling = Telling.later
    /// Number of operations that were skipped because of it.
    package var skipped = 0
    /// Number of operations that had ended when it had.
    fileprivate var place = 0
  }

  /// Where a failure is told when it happens.
  package enum Telling: Hashable, Sendable {
    /// It is told at the end only.
    case later
    /// By a line, which later outputs may move away.
    case line
    /// By an annotation, which stays.
    case annotation
  }

  package init() {}

  /// Number of operations with this ending.
  package func count(_ ending: PoolEnding) -> Int {
    counts[Int(ending.rawValue)]
  }

  /// Number of operations that failed, timed out or were lost.
  package var failureCount: Int {
    PoolEnding.failures.reduce(0) { $0 + count($1) }
  }

  /// Number of operations that have ended.
  private var endedCount: Int { counts.reduce(0, +) }

  /// Whether an operation could not be executed because no worker stayed alive.
  package var lacksWorkers: Bool { withoutWorker > 0 }

  /// 0 if every operation succeeded or was not needed, otherwise 1.
  package var exitCode: ExitCode {
    let others = PoolEnding.allCases.filter { $0 != .succeeded }
    let count = others.reduce(0) { $0 + self.count($1) }
    return count == unneeded ? .success : .operationsFailed
  }

  /// Adds an operation, which the closure describes if it is listed.
  ///
  /// The other closure says how a failure is told now, by its number from 0. Returns a failure
  /// whose line the caller has to print now: not one of an earlier run, nor one without a worker,
  /// which the whole rest of the run shares.
  ///
  /// An operation with `"when": "failed"` that was skipped because its dependency succeeded was not
  /// needed; it does not count as a failure.
  @discardableResult
  package mutating func add(
    _ record: EndRecord,
    telling: (Int) -> Telling = { _ in .later },
    described describe: () -> OperationDescription
  ) -> Failure? {
    add(record.ending)
    if record.isUnneeded { unneeded += 1 }
    if record.isResumed { resumed += 1 }
    if let root = record.root?.number, let place = places[root] { failures[place].skipped += 1 }
    guard record.ending.isFailure else { return nil }
    if record.cause == .noWorker {
      withoutWorker += 1
      guard withoutWorker == 1 else { return nil }
    }
    guard failures.count < Self.limit else { return nil }
    places[record.number] = failures.count
    var failure = Failure(record, describe())
    failure.telling = telling(failures.count)
    let isRepeated = record.isResumed || Self.sharedCauses.contains(record.cause)
    if isRepeated, failure.telling == .line { failure.telling = .later }
    failure.place = endedCount
    failures.append(failure)
    return failure.telling == .line ? failure : nil
  }

  /// Adds what the user can do about a failure; the first advice is printed.
  package mutating func advise(_ hint: String) {
    if self.hint == nil { self.hint = hint }
  }

  /// Adds a failed attempt that another one follows.
  package mutating func addRetry() {
    retried += 1
  }

  /// Adds an operation that needs no line.
  package mutating func add(_ ending: PoolEnding) {
    counts[Int(ending.rawValue)] += 1
  }

  /// The final lines for standard error: the failed operations with their lines in the manifest,
  /// and, unless quiet, the number of operations per ending; `place` is the file of the results.
  ///
  /// A failure whose line was printed is listed again only if many operations have ended since, and
  /// their outputs may have moved its line away; one with an annotation is not. Else its line says
  /// only what was skipped because of it.
  package func lines(
    manifest: [UInt8]?,
    elapsed: Int64,
    verbosity: Verbosity = .normal,
    listed place: [UInt8]? = nil
  ) -> [String] {
    var lines: [String] = []
    if retried > Self.limit, verbosity == .normal {
      lines.append("… and \(retried - Self.limit) more attempts that failed and were tried again")
    }
    lines += failures.compactMap { line(of: $0, manifest: manifest) }
    let alike = max(withoutWorker - 1, 0)
    if alike > 0 { lines.append("… and \(alike) more without a worker") }
    let others = failureCount - failures.count - alike
    let list = place.map { Printable.text($0) } ?? "--results FILE"
    if others > 0 { lines.append("… and \(others) more; \(list) lists all") }
    if let hint, verbosity != .quiet { lines.append("opool: \(hint)") }
    if verbosity != .quiet { lines.append(total(elapsed: elapsed)) }
    return lines
  }

  /// Causes of failures that end the whole run.
  private static let sharedCauses: [PoolFailureCause?] = [.unservedKind, .noWorker]

  private func line(of failure: Failure, manifest: [UInt8]?) -> String? {
    switch failure.telling {
    case .later: return failure.text(manifest: manifest)
    case .line where endedCount - failure.place > Self.limit:
      return failure.text(manifest: manifest)
    case .line, .annotation: break
    }
    return failure.skipped > 0 ? failure.consequence(manifest: manifest) : nil
  }

  /// The line for standard error about outputs that were not printed, also those of failed
  /// operations.
  package func unprintedLine(_ count: Int) -> String {
    let fact = "opool: \(count) output\(count == 1 ? " was" : "s were") not printed"
    return count > self.count(.succeeded)
      ? fact + ", also of operations that did not succeed" : fact
  }

  private func total(elapsed: Int64) -> String {
    let parts = PoolEnding.allCases.filter { $0 == .succeeded || count($0) > 0 }
      .map { "\(count($0)) \($0.words)" }
    let known = resumed > 0 ? " (\(resumed) resumed)" : ""
    return "opool: \(parts.joined(separator: ", "))\(known) in \(DurationFormat.rough(elapsed))"
  }
}

extension Summary.Failure {
  /// Takes how an operation ended from its record, and what it is from its description.
  init(_ record: EndRecord, _ description: OperationDescription) {
    self.init(
      id: description.id,
      title: description.name,
      ending: record.ending,
      reason: record.reason.map { Printable.text($0) },
      line: description.line,
      input: description.input.map(MessageExcerpt.input),
      command: description.command.map(MessageExcerpt.command),
      isResumed: record.isResumed
    )
  }

  /// How it ended, and why.
  var endingWithReason: String { ending.words + (reason.map { ": " + $0 } ?? "") }

  /// What happened, without the place in a manifest.
  var sentence: String {
    let input = self.input.map { " (\($0))" } ?? ""
    let command = self.command.map { ": " + $0 } ?? ""
    let again = isResumed ? "; in an earlier run" : ""
    return "\(Printable.name(title))\(input): \(endingWithReason)\(command)\(again)"
  }

  /// What begins each of its lines: the place in the manifest, its name, and its input.
  private func label(_ manifest: [UInt8]?) -> String {
    var place = "opool: "
    if let manifest, let line { place = "\(Printable.text(manifest)):\(line): " }
    let input = self.input.map { " (\($0))" } ?? ""
    return "\(place)\(Printable.name(title))\(input): "
  }

  /// What followed from it, after its line was printed.
  fileprivate func consequence(manifest: [UInt8]?) -> String {
    "\(label(manifest))\(skipped) skipped because of it"
  }

  /// Its line.
  package func text(manifest: [UInt8]?) -> String {
    let command = self.command.map { ": " + $0 } ?? ""
    let rest = skipped == 0 ? "" : "; \(skipped) skipped because of it"
    let again = isResumed ? "; in an earlier run: --resume-failed executes it again" : ""
    return "\(label(manifest))\(endingWithReason)\(command)\(rest)\(again)"
  }
}

extension PoolEnding {
  /// The word for people.
  var words: String {
    self == .timedOut ? "timed out" : name
  }
}

extension EndRecord {
  /// The reason of a failure: the message, or else the cause.
  var reason: String? {
    if let message { return message }
    if let exit { return PoolExitStatus.exited(exit).description }
    if let signal { return PoolExitStatus.signaled(signal).description }
    return cause?.rawValue
  }
}

package import PoolEvents
package import PoolInputs
import PoolModel
import PoolSystem
import Synchronization

/// Tells GitHub's runner of failures: at most ten of them as errors when they happen, and all of
/// them, as far as there is room, in the summary of the step.
package final class GitHubReader: RunReader, OutcomeTaker, Sendable {
  /// What is told, beside the errors.
  package struct Choice: Sendable {
    /// Whether failures beyond the first ten have lines for people.
    package var isQuiet: Bool
    /// Whether the outputs of failed operations go elsewhere, so that a group shows their end.
    package var showsEnd: Bool

    package init(isQuiet: Bool, showsEnd: Bool) {
      (self.isQuiet, self.showsEnd) = (isQuiet, showsEnd)
    }
  }

  private struct State {
    var summary = StepSummary()
    /// Number of failures so far, of those that were told, and of those without a worker.
    var failureCount = 0
    var toldCount = 0
    var withoutWorker = 0
  }

  /// The most errors: GitHub shows no more of a step.
  static let errorLimit = 10

  private let workload: any Workload
  private let places: GitHubPlaces
  private let choice: Choice
  private let printer: Printer
  private let state = Mutex(State())

  /// Writes errors to the printer.
  package init(
    _ workload: any Workload,
    _ places: GitHubPlaces,
    _ choice: Choice,
    _ printer: Printer
  ) {
    (self.workload, self.places) = (workload, places)
    (self.choice, self.printer) = (choice, printer)
  }

  package var kinds: RunRecord.Kinds { .settled }

  package func take(_ record: RunRecord) {
    if case .settled(let end, _) = record { add(end, .empty) }
  }

  package func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    add(ended.record, ended.outputs)
  }

  /// How the failure with this number, from 0, among those that a summary lists is told.
  func telling(_ number: Int) -> Summary.Telling {
    number < Self.errorLimit ? .annotation : choice.isQuiet ? .later : .line
  }

  /// The line that counts the failures without an error of their own; nil if there are none.
  package var rest: String? {
    let count = state.withLock { $0.failureCount - min($0.toldCount, Self.errorLimit) }
    guard count > 0 else { return nil }
    let words = "\(count) more operation\(count == 1 ? "" : "s") failed"
    return WorkflowCommand.warning(words, [WorkflowCommand.Property("title", "opool")]).text
  }

  /// Adds the run to the summary of the step; returns a line for people if that is not possible.
  package func writeSummary(of summary: Summary, elapsed: Int64) -> String? {
    guard let path = places.summary else { return nil }
    let table = state.withLock { $0.summary }
    let failure = StepSummaryFile.append(to: path) { room in
      table.text(of: summary, elapsed: elapsed, room: room)
    }
    return failure.map { "the summary of the step, \(Printable.text(path)): \($0)" }
  }

  private func add(_ record: EndRecord, _ outputs: OutputPair) {
    guard record.memberCount == nil, record.ending.isFailure else { return }
    let (number, isListed) = count(record)
    guard number != nil || isListed else { return }
    let failure = workload.failure(record)
    if isListed { state.withLock { $0.summary.add(failure, record) } }
    if let number { tell(failure, number: number, outputs) }
  }

  /// Counts a failure; returns its number among those that are told, if it is one of them, and
  /// whether it gets a row.
  ///
  /// The first operation without a worker stands for all of them.
  private func count(_ record: EndRecord) -> (number: Int?, isListed: Bool) {
    state.withLock { state in
      state.failureCount += 1
      if record.cause == .noWorker { state.withoutWorker += 1 }
      guard record.cause != .noWorker || state.withoutWorker == 1 else {
        state.summary.addOther()
        return (nil, false)
      }
      let isListed = !state.summary.isFull
      if !isListed { state.summary.addOther() }
      guard state.toldCount < Summary.limit else { return (nil, isListed) }
      state.toldCount += 1
      return (state.toldCount, isListed)
    }
  }

  private func tell(_ failure: Summary.Failure, number: Int, _ outputs: OutputPair) {
    if choice.showsEnd, let group = Self.group(failure, outputs) { printer.command(group) }
    if number <= Self.errorLimit {
      printer.command(error(failure).line)
    } else if !choice.isQuiet {
      printer.say(Array((failure.text(manifest: workload.file) + "\n").utf8))
    }
  }

  /// An error, at the line of the manifest, if there is one.
  private func error(_ failure: Summary.Failure) -> WorkflowCommand {
    var properties: [WorkflowCommand.Property] = []
    if let file = workload.file, let line = failure.line {
      let path = places.path(of: file, in: CurrentProcess.folder)
      properties.append(.init("file", String(decoding: path, as: UTF8.self)))
      properties.append(.init("line", "\(line)"))
    }
    properties.append(.init("title", Printable.name(failure.title)))
    return .error(failure.sentence, properties)
  }

  /// The end of the outputs, as a group.
  private static func group(_ failure: Summary.Failure, _ outputs: OutputPair) -> [UInt8]? {
    let lines = OutputEnd(of: outputs).lines(of: failure.title)
    guard !lines.isEmpty else { return nil }
    let text = CommandBreaker.broken(lines.joined(separator: "\n") + "\n")
    return WorkflowCommand.group(failure.sentence).line + text.utf8 + WorkflowCommand.endGroup.line
  }
}

extension Workload {
  /// What messages say of a failure.
  func failure(_ record: EndRecord) -> Summary.Failure {
    var description = description(of: record.number)
    description.name = title(of: record.number)
    return Summary.Failure(record, description)
  }
}

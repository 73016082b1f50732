package import PoolEvents
package import PoolInputs
package import PoolModel
import PoolSystem
import Synchronization

/// The file of `--junit`: all operations of a run, for programs that read JUnit's XML.
///
/// It is made at the end of the run. Of an operation that was tried again, it has the last attempt.
package final class JUnitReader: RunReader, OutcomeTaker, Sendable {
  private struct State {
    var report = JUnitReport()
    var tails = OutputTail()
  }

  private let workload: any Workload
  /// Nanoseconds from 1970 to the moment from which the run's times count.
  private let start: Int64
  private let state = Mutex(State())

  /// Names operations as the workload does.
  package init(_ workload: any Workload, runStart: Int64) {
    (self.workload, start) = (workload, runStart)
  }

  package var kinds: RunRecord.Kinds { .settled }

  package func take(_ record: RunRecord) {
    if case .settled(let end, _) = record { add(end, .empty) }
  }

  package func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    add(ended.record, ended.outputs)
  }

  /// The document about all that has ended so far.
  package func document(at now: Instant) -> [UInt8] {
    let host = String(decoding: MachineIdentity.hostName, as: UTF8.self)
    return state.withLock {
      $0.report.document(start: start, host: host, elapsed: now.nanoseconds)
    }
  }

  private func add(_ record: EndRecord, _ outputs: OutputPair) {
    guard record.memberCount == nil else { return }
    var test = test(of: record)
    state.withLock { state in
      let isFailure = record.ending.isFailure
      test.output = state.tails.take(outputs.output, isFailure: isFailure)
      test.error = state.tails.take(outputs.error, isFailure: isFailure)
      state.report.add(test)
    }
  }

  private func test(of record: EndRecord) -> JUnitCase {
    let number = record.number
    let description = workload.description(of: number)
    let file = workload.file.map { String(decoding: $0, as: UTF8.self) }
    var test = JUnitCase(
      name: name(of: number, description),
      suite: description.group.map { String(decoding: $0, as: UTF8.self) } ?? file ?? "opool map",
      time: record.executionTime ?? 0,
      attempts: record.attempt,
      result: JUnitCase.Result(record)
    )
    if let file, let line = description.line { test.place = (file, line) }
    guard test.result != .passed else { return test }
    test.type = record.cause?.rawValue ?? record.ending.name
    test.message = message(of: record)
    return test
  }

  /// A name that no other operation has: the identifier, with the input, or the name, of one that
  /// has only a number.
  private func name(of number: Int, _ description: OperationDescription) -> String {
    var name = String(decoding: description.id, as: UTF8.self)
    if let input = description.input {
      name += " (\(String(decoding: input.prefix(Self.inputLimit), as: UTF8.self)))"
    } else if workload.givenID(of: number) == nil {
      name = Printable.name(name) + ": " + Printable.name(description.name)
    }
    return name
  }

  /// Number of bytes of an input in a name.
  private static let inputLimit = 200

  private func message(of record: EndRecord) -> String {
    if record.isUnneeded { return "not needed: what it waits for has succeeded" }
    var message = record.ending.words
    if record.ending == .skipped, let root = record.root {
      message += " because of " + Printable.name(workload.id(ofMember: root.number))
    } else if let reason = record.reason {
      message += ": " + reason
    }
    if record.attempt > 1 { message += " (after \(record.attempt) attempts)" }
    return message
  }
}

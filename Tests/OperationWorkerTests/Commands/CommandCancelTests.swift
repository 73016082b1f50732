import Foundation
import PoolModel
import PoolSystem
import PoolWire
import Testing

/// How commands are made to end.
@Suite("Cancelling commands")
struct CommandCancelTests {
  /// Asked with an hour's grace, which a command passes over, then SIGTERM, for ever, then SIGKILL.
  private let teardown = PoolTeardownSequence(steps: [
    PoolTeardownSequence.Step(.message, graceMilliseconds: 3_600_000),
    PoolTeardownSequence.Step(.signal(15), graceMilliseconds: .max),
    PoolTeardownSequence.Step(.signal(9), graceMilliseconds: 0),
  ])

  /// Reads messages up to the cancelled one, which must be of this operation.
  private func cancelled(
    _ operation: Execute,
    _ worker: WorkerHarness
  ) throws -> (Answer, String?) {
    guard case .cancelled(operation.reference, let answer, let step) = try worker.next() else {
      throw HarnessError(text: "no 'cancelled' came")
    }
    return (answer, step)
  }

  /// A command cannot be asked, so that the first step is passed over at once.
  @Test("SIGTERM ends an ordinary command, and the answer says so")
  func terminate() throws {
    let worker = try WorkerHarness()
    let operation = worker.shell("echo begun; exec sleep 1000")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    worker.send(.cancel(operation.reference, teardown))
    let (answer, step) = try cancelled(operation, worker)
    #expect(step == "SIGTERM")
    #expect(answer.failure?.code == 15)
    #expect(answer.usage != nil)
    #expect(answer.stepsTaken.map(\.action) == [.signal(15)])
    let next = try worker.answer(to: worker.shell("echo next"))
    #expect(next.outputText == "next\n")
  }

  /// The last step is not to be ignored; outputs up to then are kept.
  @Test("A command that ignores SIGTERM ends by SIGKILL, after its grace")
  func stubborn() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let line = "trap '' TERM; echo kept; echo ready >\(place.path); while :; do sleep 1000; done"
    let operation = worker.shell(line)
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    _ = try place.reader().readToEnd()
    let short = PoolTeardownSequence(steps: [
      PoolTeardownSequence.Step(.message, graceMilliseconds: 3_600_000),
      PoolTeardownSequence.Step(.signal(15), graceMilliseconds: 30),
      PoolTeardownSequence.Step(.signal(9), graceMilliseconds: 0),
    ])
    worker.send(.cancel(operation.reference, short))
    let (answer, step) = try cancelled(operation, worker)
    #expect(step == "SIGKILL")
    #expect(answer.failure?.code == 9)
    #expect(answer.outputText == "kept\n")
    #expect(answer.stepsTaken.map(\.action) == [.signal(15), .signal(9)])
    let times = answer.stepsTaken.map(\.microseconds)
    #expect(times[0] >= 0 && times[1] - times[0] >= 30_000)
  }

  /// A second teardown sequence takes over: the first one's grace is not waited for.
  @Test("A second cancel overrides the first")
  func impatience() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let operation = worker.shell("trap '' TERM; echo ready >\(place.path); exec sleep 1000")
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    _ = try place.reader().readToEnd()
    worker.send(.cancel(operation.reference, teardown))
    worker.send(.cancel(operation.reference, .immediate))
    let (answer, step) = try cancelled(operation, worker)
    #expect(step == "SIGKILL")
    // Both times count from the first of the two.
    #expect(answer.stepsTaken.map(\.action).last == .signal(9))
    #expect(answer.stepsTaken.map(\.microseconds).sorted() == answer.stepsTaken.map(\.microseconds))
  }

  /// The group is signalled, and what of it survives the command itself is killed.
  @Test("Processes that a cancelled command started end with it")
  func group() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let line = """
      exec 9>\(place.path)
      (trap '' TERM; echo ready >&9; while :; do sleep 1000; done) &
      wait
      """
    let operation = worker.shell(line)
    worker.send(.execute(operation))
    _ = try worker.group(of: operation)
    let reader = try place.reader()
    #expect(try reader.read(upToCount: 6) == Data("ready\n".utf8))
    worker.send(.cancel(operation.reference, teardown))
    let (_, step) = try cancelled(operation, worker)
    #expect(step == "SIGTERM")
    // The pipe ends when the last process that holds it does.
    #expect(try reader.readToEnd() ?? Data() == Data())
  }

  /// A prefetched operation needs no teardown sequence: it never executes.
  @Test("Cancelling a prefetched command answers without executing it; stale requests do nothing")
  func held() throws {
    let place = try Rendezvous()
    let worker = try WorkerHarness()
    let first = worker.shell("read line <\(place.path); echo first")
    let second = worker.shell("echo second")
    worker.send(.execute(first), .execute(second))
    _ = try worker.group(of: first)
    worker.send(.cancel(second.reference, teardown))
    #expect(try worker.next() == .cancelled(second.reference, Answer(), step: nil))
    worker.send(.cancel(second.reference, teardown), .recall(second.reference), .ping(1))
    #expect(try worker.next() == .pong(1))
    try place.release()
    guard case .finished(first.reference, let answer) = try worker.next() else {
      throw HarnessError(text: "no 'finished' came")
    }
    #expect(answer.outputText == "first\n")
    worker.send(.cancel(first.reference, .immediate), .ping(2))
    #expect(try worker.next() == .pong(2))
    worker.closeInput()
    #expect(try worker.next() == nil)
  }

  /// Cancelled in the instant of its start, a command ends one way or the other.
  @Test("A cancel that comes together with its operation is not lost")
  func early() throws {
    let worker = try WorkerHarness()
    for _ in 0..<20 {
      let operation = worker.shell("exec sleep 1000")
      worker.send(.execute(operation), .cancel(operation.reference, .immediate))
      var isAnswered = false
      while !isAnswered, let message = try worker.next() {
        switch message {
        case .executing(operation.reference, _): break
        case .cancelled(operation.reference, _, _): isAnswered = true
        default: throw HarnessError(text: "unexpected \(message)")
        }
      }
      #expect(isAnswered)
    }
  }
}

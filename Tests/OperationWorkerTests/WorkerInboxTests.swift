import PoolModel
import PoolWire
import Testing

@testable import OperationWorker

/// What the worker decides about operations that it was sent: held, executing, then gone.
@Suite("The worker's inbox")
struct WorkerInboxTests {
  private func operation(_ number: UInt64) -> Execute {
    Execute(
      reference: DispatchReference(
        operation: OperationID(rawValue: number),
        dispatch: DispatchNumber(rawValue: number)
      ),
      attempt: 1,
      kind: "k",
      payload: []
    )
  }

  private func inbox(holding numbers: UInt64...) throws -> WorkerInbox {
    var inbox = WorkerInbox()
    try inbox.accept(Welcome(worker: WorkerID(rawValue: 1)))
    try inbox.accept(numbers.map(operation))
    return inbox
  }

  /// Operations execute in the order in which they came; without any, the worker waits.
  @Test("Held operations execute in order")
  func order() throws {
    var inbox = try inbox(holding: 1, 2)
    #expect(inbox.next() == .execute(operation(1), held: 1))
    #expect(inbox.executing == operation(1).reference)
    try inbox.accept([operation(3)])
    #expect(inbox.next() == .execute(operation(2), held: 1))
    #expect(inbox.next() == .execute(operation(3), held: 0))
    #expect(inbox.next() == .read)
    #expect(inbox.executing == nil)
    #expect(inbox.isIdle)
  }

  /// However many came and went, order is kept.
  @Test("A long stream of operations keeps its order")
  func longStream() throws {
    var inbox = try inbox()
    for start in stride(from: UInt64(0), to: 50_000, by: 5_000) {
      try inbox.accept((start..<(start + 5_000)).map(operation))
      for number in start..<(start + 4_999) {
        #expect(inbox.next() == .execute(operation(number), held: Int(start + 4_999 - number)))
      }
      #expect(inbox.next() == .execute(operation(start + 4_999), held: 0))
    }
    #expect(inbox.next() == .read)
  }

  /// Only what has not started can be taken back, and only once.
  @Test("Recall returns only operations that have not started")
  func recall() throws {
    var inbox = try inbox(holding: 1, 2, 3)
    #expect(inbox.next() == .execute(operation(1), held: 2))
    #expect(inbox.recall(operation(1).reference) == false)
    #expect(inbox.recall(operation(2).reference) == true)
    #expect(inbox.recall(operation(2).reference) == false)
    #expect(inbox.next() == .execute(operation(3), held: 0))
    #expect(inbox.recall(operation(3).reference) == false)
  }

  /// A request for another dispatch of the same operation is stale.
  @Test("A dispatch number that is not the operation's own changes nothing")
  func fence() throws {
    var inbox = try inbox(holding: 1, 2)
    _ = inbox.next()
    for number in [UInt64(1), 2] {
      let stale = DispatchReference(
        operation: OperationID(rawValue: number),
        dispatch: DispatchNumber(rawValue: 9)
      )
      #expect(inbox.recall(stale) == false)
      #expect(inbox.cancel(stale, .standard) == .nothing)
    }
    #expect(inbox.teardown == nil)
    #expect(inbox.next() == .execute(operation(2), held: 0))
  }

  /// A held operation goes; an executing one keeps the teardown sequence until it can be used.
  @Test("Cancel finds the operation wherever it is")
  func cancel() throws {
    var inbox = try inbox(holding: 1, 2)
    _ = inbox.next()
    #expect(inbox.cancel(operation(2).reference, .standard) == .held)
    #expect(inbox.cancel(operation(2).reference, .standard) == .nothing)
    #expect(inbox.cancel(operation(1).reference, .immediate) == .executing)
    let handle = StopHandle(ask: { _ in }, kill: {})
    #expect(inbox.register(handle, for: operation(1).reference) == .immediate)
    #expect(inbox.next() == .read)
    #expect(inbox.teardown == nil)
    #expect(inbox.handle == nil)
  }

  /// Draining finishes what is held; the end of the input, or a failure, finishes nothing.
  @Test("Drain ends after what is held, the end of the input before it")
  func ends() throws {
    var draining = try inbox(holding: 1)
    draining.drain()
    #expect(draining.next() == .execute(operation(1), held: 0))
    #expect(draining.next() == .end)
    var ended = try inbox(holding: 1)
    ended.end()
    #expect(ended.next() == .end)
    var failed = try inbox(holding: 1)
    failed.fail(PoolWorkerError(.system, "first"))
    failed.fail(PoolWorkerError(.system, "second"))
    #expect(failed.next() == .end)
    #expect(failed.failure?.message == "first")
  }

  /// A process that is just being started cannot be stopped yet.
  @Test("What can be stopped only after a failure is stopped then")
  func failureWhileStarting() throws {
    var inbox = try inbox(holding: 1)
    _ = inbox.next()
    inbox.fail(PoolWorkerError(.system, "first"))
    let handle = StopHandle(ask: { _ in }, kill: {})
    #expect(inbox.register(handle, for: operation(1).reference) == .immediate)
  }

  /// The conversation has an order, and a coordinator that breaks it is told how.
  @Test("Nothing is accepted before one welcome of a version that was offered")
  func handshake() throws {
    var inbox = WorkerInbox()
    #expect(throws: Violation.unexpected("an 'execute' before its 'welcome'")) {
      try inbox.accept([operation(1)])
    }
    #expect(throws: Violation.unexpected("version 2, which was not offered")) {
      try inbox.accept(Welcome(version: 2, worker: WorkerID(rawValue: 1)))
    }
    try inbox.accept(Welcome(worker: WorkerID(rawValue: 1)))
    #expect(throws: Violation.unexpected("a second 'welcome'")) {
      try inbox.accept(Welcome(worker: WorkerID(rawValue: 1)))
    }
    #expect(inbox.next() == .read)
  }
}

extension WorkerInbox {
  /// Takes operations of a list that is not used again.
  mutating func accept(_ operations: [Execute]) throws(Violation) {
    var operations = operations
    try accept(&operations)
  }
}

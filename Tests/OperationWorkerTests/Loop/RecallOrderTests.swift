import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// Recalls and cancellations that come while the worker is about to begin what they are about.
@Suite("Recalls in the nick of time", .timeLimit(.minutes(30)))
struct RecallOrderTests {
  /// The reader and the executor are two threads: what the one gives back, the other must not pass
  /// over before the coordinator knows.
  @Test("each operation is answered before a later one begins", arguments: [false, true])
  func order(cancels: Bool) throws {
    let worker = try WorkerHarness("test-worker")
    let rounds = 3_000
    var overtaken: [UInt64] = []
    var answered = 0
    for _ in 0..<rounds {
      let operations = (0..<4).map { _ in worker.operation("noop") }
      worker.send(
        .execute(operations[0]),
        .execute(operations[1]),
        .execute(operations[2]),
        .execute(operations[3])
      )
      for operation in operations.dropFirst().prefix(2) {
        worker.send(
          cancels ? .cancel(operation.reference, .immediate) : .recall(operation.reference)
        )
      }
      var open = operations.map(\.reference.dispatch.rawValue)
      while !open.isEmpty, let message = try worker.next() {
        switch message {
        case .executing(let reference, _):
          if reference.dispatch.rawValue != open.first {
            overtaken.append(reference.dispatch.rawValue)
          }
        case .finished(let reference, _), .returned(let reference),
          .cancelled(let reference, _, _):
          open.removeAll { $0 == reference.dispatch.rawValue }
          answered += 1
        default: Issue.record("unexpected \(message)")
        }
      }
    }
    #expect(overtaken.isEmpty)
    #expect(answered == 4 * rounds)
  }
}

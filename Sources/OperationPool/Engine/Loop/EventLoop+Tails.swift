import PoolModel
import PoolWire

// Questions about what executing operations have written so far. While there are none, they cost
// nothing.

/// A question that a worker has been asked.
struct TailQuestion {
  let worker: WorkerID
  let reference: DispatchReference
  let answer: PoolEngine.TailAnswer
}

extension PoolEngine {
  /// Takes what an operation has written so far; nil if nothing is known of it.
  package typealias TailAnswer = @Sendable (WrittenOutputs?) -> Void

  /// Asks what an executing operation has written so far, by its number.
  ///
  /// Nil is the answer for one that does not execute, and where neither its worker nor this process
  /// can say. The closure is called once, on the coordinator's thread, which it must not hold up:
  /// with a worker that is busy, or whose operation ends meanwhile, that may be late, at the latest
  /// after the next question. Without a loop it is never called.
  package func tail(
    of operation: Int,
    _ request: TailRequest = TailRequest(),
    answer: @escaping TailAnswer
  ) {
    post(.tail(operation, request, answer))
  }
}

extension EventLoop {
  /// Another thread asks what an operation has written.
  mutating func receive(
    tailOf operation: Int,
    _ request: TailRequest,
    _ answer: @escaping PoolEngine.TailAnswer
  ) {
    dropOutdatedTails()
    let connection = connections.first { $0.executing?.operation.number == operation }
    guard let connection, let reference = connection.executing else { return answer(nil) }
    // What came in frames is here.
    if let outputs = connection.outputs { return answer(outputs.written(request)) }
    guard connection.capabilities.tellsTail else { return answer(nil) }
    tails.append(TailQuestion(worker: connection.id, reference: reference, answer: answer))
    send(.tail(reference, request), to: connection.id)
  }

  /// A worker says what an operation has written; what it was not asked for is ignored.
  mutating func receive(
    _ outputs: WrittenOutputs,
    of reference: DispatchReference,
    from connection: WorkerConnection
  ) {
    let index = tails.firstIndex { $0.worker == connection.id && $0.reference == reference }
    guard let index else { return }
    tails.remove(at: index).answer(outputs)
  }

  /// Answers questions about operations that no longer execute.
  private mutating func dropOutdatedTails() {
    let connections = connections
    tails.removeAll { question in
      guard connections[question.worker]?.executing != question.reference else { return false }
      question.answer(nil)
      return true
    }
  }

  /// The loop ends: no worker will answer.
  func dropTails() {
    for question in tails { question.answer(nil) }
  }
}

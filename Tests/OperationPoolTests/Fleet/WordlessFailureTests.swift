import PoolCore
import PoolModel
import PoolWire
import Testing

@testable import OperationPool

/// Contract: a failure always has a sentence, also where its worker gives none.
@Suite("Failures without a message")
struct WordlessFailureTests {
  private func sentence(_ cause: Failure.Cause, _ message: String, code: Int32?) -> String? {
    let operation = OperationID(index: 0, generation: 0)
    let settlement = Settlement(
      operation,
      .failed,
      because: .answer,
      root: operation,
      detail: .none,
      attempt: 1,
      worker: nil,
      queued: nil,
      started: nil,
      finished: .zero
    )
    let failure = Failure(cause: cause, message: message, code: code)
    let report = AttemptReport(answer: Answer(failure: failure))
    return PoolOutcome(settlement, report).failure?.description
  }

  @Test("what the worker says besides is put into words; its own are taken where there are any")
  func words() {
    #expect(sentence(.exit, "", code: 3) == "it exited with code 3")
    #expect(sentence(.signal, "", code: 9) == "it was ended by signal 9")
    #expect(sentence(.spawn, "", code: nil) == "it could not be started")
    #expect(sentence(.exit, "", code: nil) == "it reported failure")
    #expect(sentence(.error, "", code: 3) == "it reported failure")
    #expect(sentence(.exit, "no luck", code: 3) == "no luck")
  }
}

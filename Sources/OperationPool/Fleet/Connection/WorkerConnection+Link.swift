import PoolModel
import PoolWire

// What is asked and noted of a worker that may be on another machine.
extension WorkerConnection {
  /// Whether dispatches must be noted before they are written.
  @inline(__always)
  var notesDispatches: Bool { link != nil }

  /// Number of bytes that wait to be sent.
  var pendingCount: Int { outbound.pendingCount }

  /// A dispatch waits to be sent, behind this number of bytes.
  func noteDispatch(_ reference: DispatchReference, behind pending: Int) {
    link?.sent.append(reference.dispatch, behind: pending)
  }

  /// Asks how far it is.
  func measureRoundTrip(at now: Int64) {
    guard capabilities.answersPings, link != nil else { return }
    link?.ask(at: now)
    send(.ping(WorkerLink.question))
  }

  /// It has answered a question; returns how far it is, if it was asked that and may be far.
  func noteAnswer(toPing number: UInt64, at now: Int64) -> Int64? {
    let roundTrip = link?.noteAnswer(to: number, at: now)
    return hasProvedPlace ? nil : roundTrip
  }

  /// Whether too many bytes wait for its link, if that is news.
  func noteWaiting() -> Bool? { link?.noteWaiting(pendingCount) }

  /// How long it lives without an answer; nil if it has no lease, or has proved that it needs none.
  var lease: LeaseTerms? { mayBeFar ? terms : nil }

  /// Whether it may still be on another machine.
  @inline(__always)
  var mayBeFar: Bool { outbox?.isEchoed != true }

  /// Whether it could have been on another machine, and has proved that it is not.
  var hasProvedPlace: Bool { link != nil && outbox?.isEchoed == true }
}

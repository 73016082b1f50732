import PoolSystem

/// How many bytes of what operations write and remark may still be sent.
///
/// A coordinator always reads a link, because what else comes over it must not wait. So it is the
/// worker that waits while the coordinator has no room: with it the operation, as if its pipe were
/// full.
final class SendWindow: Sendable {
  /// Never above what was granted, and below 0 by one message at most for each thread.
  private let rest: Monitor<Int>

  init(_ byteCount: Int) {
    rest = Monitor(byteCount)
  }

  /// So many bytes more may be sent.
  func grant(_ byteCount: Int) {
    rest.withLock { rest in
      let (sum, isTooMuch) = rest.addingReportingOverflow(max(byteCount, 0))
      rest = isTooMuch ? .max : sum
    }
    rest.broadcast()
  }

  /// Waits until something may be sent, and counts so many bytes as sent.
  func take(_ byteCount: Int) {
    rest.wait(while: { $0 <= 0 }, then: { $0 -= byteCount })
  }
}

/// Whether a thread without work should poll again at once instead of sleeping.
///
/// Waking a thread takes longer than an operation of a few microseconds, and far longer if its
/// processor sleeps, too. So if work has kept coming within that time, the thread polls for as
/// long, and no longer, and yields the processor between two polls; otherwise it sleeps.
package struct SpinPolicy: Sendable {
  /// Nanoseconds to poll before sleeping: 100 µs, about the time of a wake-up if a processor must
  /// wake, too.
  package static let span: Int64 = 100_000
  /// Number of short waits in a row after which polling pays.
  private static let enough = 4
  private static let most = 8
  /// For more elements than this, a wake-up costs little for each, and polling only uses a
  /// processor.
  private static let few = 8

  private var shortWaits = 0

  package init() {}

  /// Whether to poll.
  package var pays: Bool { shortWaits >= Self.enough }

  /// Whether to poll, after this many elements came at once.
  package func pays(after count: Int) -> Bool { pays && count <= Self.few }

  /// Whether to poll, if this many of the processors are busy: while all are, polling only keeps
  /// other threads from them.
  package func pays(busy: Int, of processors: Int) -> Bool { pays && busy < processors }

  /// Work came after this many nanoseconds, or polling was given up.
  package mutating func noteWait(of nanoseconds: Int64) {
    shortWaits = nanoseconds < Self.span ? min(shortWaits + 1, Self.most) : max(shortWaits - 2, 0)
  }
}

/// Whether a thread that has nothing to do had better look again at once than sleep.
///
/// Waking a thread takes longer than an operation of a few microseconds, and far longer where its
/// processor has gone to sleep, too. So where news have kept coming within that time, the thread
/// goes on looking for as long, and no longer, and lets others have the processor in between; where
/// they did not come, it sleeps.
package struct SpinPolicy: Sendable {
  /// How long to look before sleeping: 100 µs, about what waking takes where a processor must wake,
  /// too.
  package static let span: Int64 = 100_000
  /// As many waits in a row as this were short before it is worth looking.
  private static let enough = 4
  private static let most = 8
  /// With more than this, being woken costs little for each, and looking only keeps a processor.
  private static let few = 8

  private var shortWaits = 0

  package init() {}

  /// Whether to look.
  package var pays: Bool { shortWaits >= Self.enough }

  /// Whether to look, where so many things came at once at last.
  package func pays(after count: Int) -> Bool { pays && count <= Self.few }

  /// Whether to look, where so many of the processors have something to do: while all have, looking
  /// only keeps others from them.
  package func pays(busy: Int, of processors: Int) -> Bool { pays && busy < processors }

  /// Something came after so many nanoseconds, or looking was given up.
  package mutating func noteWait(of nanoseconds: Int64) {
    shortWaits = nanoseconds < Self.span ? min(shortWaits + 1, Self.most) : max(shortWaits - 2, 0)
  }
}

/// Whether the loop, when it has nothing to do, had better look again at once than sleep.
///
/// Waking a thread takes longer than an operation of a few microseconds. So where news has kept coming
/// within that time, the loop goes on looking for as long, and no longer; where it did not come, or every
/// processor has something else to do, it sleeps.
struct Anticipation {
  /// How long the loop looks before it sleeps: 40 µs, a few times what it takes to wake it.
  static let span: Int64 = 40_000
  /// As many waits in a row as this were short before it is worth looking.
  private static let enough = 4
  private static let most = 8

  private var shortWaits = 0

  /// Whether to look, when so many workers of all have something to do.
  func pays(busyWorkers: Int, processors: Int) -> Bool {
    shortWaits >= Self.enough && busyWorkers < processors && processors > 1
  }

  /// Something came after so many nanoseconds, or the loop gave up looking.
  mutating func noteWait(of nanoseconds: Int64) {
    shortWaits = nanoseconds < Self.span ? min(shortWaits + 1, Self.most) : max(shortWaits - 2, 0)
  }
}

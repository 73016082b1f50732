import PoolModel
import PoolSystem
import Synchronization

/// The time since an engine was made, without the time during which its process was stopped:
/// timeouts and graces do not run then.
///
/// While it is paused it stands still, and no thread reads a time that is ahead of it: from a pause
/// on, a reader that was overtaken by it reads again.
final class EngineClock: Sendable {
  private let system: @Sendable () -> Int64
  private let epoch: Int64
  /// Length of all pauses; while paused, `~` of the frozen time, in nanoseconds; ``stopping`` while
  /// a pause finds out its time.
  private let pauses = Atomic<Int64>(0)
  private static let stopping = Int64.min

  /// Starts at zero; the closure gives the nanoseconds of a clock that only goes forward.
  init(_ system: @escaping @Sendable () -> Int64) {
    self.system = system
    epoch = system()
  }

  /// The time now.
  var now: Instant {
    while true {
      let before = pauses.load(ordering: .acquiring)
      if before == Self.stopping {
        SystemThread.yieldProcessor()
        continue
      }
      guard before >= 0 else { return Instant(nanoseconds: ~before) }
      let time = system()
      // A process may be stopped between any two instructions.
      guard pauses.load(ordering: .acquiring) == before else { continue }
      return Instant(nanoseconds: time - epoch - before)
    }
  }

  /// Calls the closure, which stops this process until it is continued; one call at a time.
  ///
  /// Returns for how many nanoseconds it was stopped.
  @discardableResult
  func pause(_ body: () -> Void) -> Int64 {
    let before = pauses.load(ordering: .relaxed)
    // First, so that no thread reads a later time than the one at which the clock stops.
    pauses.store(Self.stopping, ordering: .sequentiallyConsistent)
    let start = system()
    pauses.store(~(start - epoch - before), ordering: .sequentiallyConsistent)
    body()
    let length = system() - start
    pauses.store(before + length, ordering: .sequentiallyConsistent)
    return length
  }
}

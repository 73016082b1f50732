import PoolModel
import PoolSystem
import PoolWire

/// The system lacks a resource, so the operation has not begun.
struct Shortage: Error {
  /// The resource, and the system's error.
  var message: String

  /// Runs a step before the beginning; throws ``Shortage`` if it fails because of one.
  static func noticed<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SpawnFailure where error.isShortage {
      // Without the program's name: every program lacks the same resource.
      throw Self(message: "no command can be started: \(error.reason)")
    } catch let error as SystemFailure where error.isShortage {
      throw Self(message: "no command can be started: \(error)")
    }
  }
}

/// How a worker waits for a missing resource: first by itself, because other commands soon end;
/// then it exits, which frees resources.
struct ShortageWait {
  /// Nanoseconds that a worker waits by itself: 500 ms.
  private static let patience = Int64.milliseconds(500)
  /// Nanoseconds for the coordinator to open the outputs of earlier commands: 2 s.
  private static let releaseLimit = Int64.seconds(2)
  private static let longestPause = Int64.milliseconds(32)

  private var deadline: Int64?
  private var length = Int64.milliseconds(1)

  /// Waits before the next try, and tells the coordinator to restart the command's timeout.
  ///
  /// Exits this process if the wait takes too long, or if the command was cancelled or timed out.
  /// The exit code tells the coordinator that nothing has begun. The coordinator itself knows
  /// whether it cancelled the command or its time was over; time spent waiting here does not count.
  mutating func pause(
    after shortage: Shortage,
    of reference: DispatchReference,
    in connection: CoordinatorConnection
  ) {
    let now = MonotonicClock.now
    let end = deadline ?? now + Self.patience
    deadline = end
    if now < end, !connection.isCancelled(reference.dispatch) {
      MonotonicClock.sleep(nanoseconds: length)
      length = min(length * 2, Self.longestPause)
      guard connection.isCancelled(reference.dispatch) else {
        return connection.report(.executing(reference, nil), of: reference)
      }
    }
    // The coordinator reads the outputs of earlier commands through this process's descriptors.
    let limit = MonotonicClock.now + Self.releaseLimit
    guard connection.waitForRelease(until: limit) || connection.isCancelled(reference.dispatch)
    else { return }
    CurrentProcess.complain("opool-worker: \(shortage.message)")
    // Sends the answers of earlier commands.
    try? connection.flush()
    CurrentProcess.endNow(PoolExitStatus.shortageCode)
  }
}

import PoolModel
import PoolSystem
import PoolWire

/// The system had too little of something for what has therefore not begun.
struct Shortage: Error {
  /// Of what, and how the system says so.
  var message: String

  /// Does what comes before a beginning; throws ``Shortage`` where one is why it fails.
  static func noticed<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SpawnFailure where error.isShortage {
      // Not the program's name: what lacks is the same for all.
      throw Self(message: "no command can be started: \(error.reason)")
    } catch let error as SystemFailure where error.isShortage {
      throw Self(message: "no command can be started: \(error)")
    }
  }
}

/// How a worker waits where it lacks something for a command: at first by itself, because other
/// commands soon end, and then by its own end, which makes room.
struct ShortageWait {
  /// How long a worker waits by itself: 500 ms.
  private static let patience = Int64.milliseconds(500)
  /// How long the coordinator may take to open outputs of earlier commands: 2 s.
  private static let releaseLimit = Int64.seconds(2)
  private static let longestPause = Int64.milliseconds(32)

  private var deadline: Int64?
  private var length = Int64.milliseconds(1)

  /// Waits before the command is tried again, and tells the coordinator that its time begins anew.
  ///
  /// Ends this process where that takes too long, or the command is not wanted any more. The
  /// coordinator knows by the exit code that nothing has begun. Whether the command was cancelled
  /// or its time was over, it knows by itself: a time that was spent waiting is no time of the
  /// command's.
  mutating func pause(
    after shortage: Shortage,
    of reference: DispatchReference,
    in connection: WorkerConnection
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
    // The outputs of earlier commands are reached through this process's descriptors.
    let limit = MonotonicClock.now + Self.releaseLimit
    guard connection.waitForRelease(until: limit) || connection.isCancelled(reference.dispatch)
    else { return }
    CurrentProcess.complain("opool-worker: \(shortage.message)")
    // The answers of earlier commands.
    try? connection.flush()
    CurrentProcess.endNow(PoolExitStatus.shortageCode)
  }
}

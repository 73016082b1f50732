import PoolModel
import PoolSystem
import PoolWire

/// What processes that a command has left behind write after its end: some of it is still output of
/// the command, and the rest is dropped.
struct LateOutput {
  let reference: DispatchReference
  let connection: CoordinatorConnection
  let dropper: LateOutputs

  init(
    of reference: DispatchReference,
    in connection: CoordinatorConnection,
    dropping dropper: LateOutputs
  ) {
    (self.reference, self.connection, self.dropper) = (reference, connection, dropper)
  }

  /// Nanoseconds without output after which no more is waited for.
  var grace: Int64 {
    connection.welcome?.outputGrace.map { .milliseconds($0) } ?? OutputGrace.usual
  }

  /// Whether the operation was not asked to stop.
  func isWanted() -> Bool { !connection.isCancelled(reference.dispatch) }

  /// Whether such a process is about to write, as far as the system can tell.
  func isBusy() -> Bool { connection.subreaper?.isBusy ?? false }

  /// Hands over the pipes that such processes still have open.
  func leave(_ pipes: [Int32]) {
    if !pipes.isEmpty { dropper.take(pipes, of: reference, in: connection) }
  }
}

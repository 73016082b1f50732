import OperationWorker
import PoolModel

/// Starts threads of this process, which speak the protocol and serve these kinds.
struct HostedLauncher: WorkerLauncher {
  let kinds: [WorkerKind]

  var place: WorkerPlace { .thisProcess }
  var isForeign: Bool { false }

  func start(
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending any WorkerProcess {
    try HostedProcess.start(kinds, ended: ended)
  }
}

package import PoolSystem
import PoolWire

/// A worker that is two threads of the coordinator's process, for tests and debugging.
///
/// It speaks the protocol on two streams, like a worker process. It cannot be killed: when it is
/// abandoned, its operation goes on until its code returns.
package final class HostedWorker: Sendable {
  private let connection: CoordinatorConnection
  private let kinds: [String: WorkerKind]

  private init(_ kinds: [String: WorkerKind], _ streams: StandardStreams) {
    self.kinds = kinds
    connection = CoordinatorConnection(streams, isHosted: true)
  }

  /// Starts a worker, which closes the streams when it ends; the output is a socket.
  ///
  /// - Parameters:
  ///   - kinds: What it serves.
  ///   - streams: Its input and output, which stay the caller's where this throws.
  ///   - ended: Called when it has ended by itself, with the exit code that a process would have.
  /// - Returns: The worker, which its threads keep.
  /// - Throws: ``PoolWorkerError`` if two kinds have one name, and `SystemFailure` if no thread can
  ///   be made.
  package static func start(
    _ kinds: [WorkerKind],
    on streams: StandardStreams,
    ended: @escaping @Sendable (_ code: Int32) -> Void
  ) throws -> HostedWorker {
    let worker = HostedWorker(try WorkerKind.table(of: kinds), streams)
    try worker.start(streams, ended)
    return worker
  }

  /// Prevents the worker from beginning another operation; returns a closure that asks the
  /// executing one to stop, by calling its cancellation handlers.
  ///
  /// The worker ends when the operation has returned, and the coordinator has closed its ends of
  /// the streams.
  package func abandon() -> @Sendable () -> Void { connection.abandon() }

  private func start(
    _ streams: StandardStreams,
    _ ended: @escaping @Sendable (_ code: Int32) -> Void
  ) throws(SystemFailure) {
    let connection = connection
    let reader = try SystemThread.start(
      name: "opool-io",
      mask: .full,
      connection.runIOThread
    )
    do throws(SystemFailure) {
      // As in a process, so that children of its operations can be signalled.
      let end: @Sendable (Int32) -> Void = { code in
        // After a failure, the input ends when the coordinator learns of the worker's end.
        if !connection.isInputEnded { ended(code) }
        reader.join()
        Descriptors.close(streams.input)
        Descriptors.close(streams.output)
        ended(code)
      }
      let thread = try SystemThread.start(
        name: "opool-hosted",
        mask: .empty,
        stack: .ofMainThread,
        ended: { end(70) },
        { end(self.run()) }
      )
      thread.detach()
    } catch {
      _ = abandon()
      reader.join()
      throw error
    }
  }

  /// Serves until the end; returns the exit code that a process would have.
  private func run() -> Int32 {
    do {
      try connection.open(Hello(serving: kinds))
      try WorkerLoop(kinds: kinds, connection: connection).run()
      return 0
    } catch {
      return (error as? SystemFailure)?.isBrokenPipe == true ? 0 : 70
    }
  }
}

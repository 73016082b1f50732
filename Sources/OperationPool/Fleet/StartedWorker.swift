/// A worker process on its way from the spawner's thread to the loop's.
///
/// A process that the loop does not take is ended.
///
/// `@unchecked Sendable`: the spawner lets go of the process before the loop takes it, and only the
/// loop does.
final class StartedWorker: @unchecked Sendable {
  private var process: (any WorkerProcess)?

  init(_ process: sending any WorkerProcess) {
    self.process = process
  }

  deinit {
    process?.discard()
  }

  /// The process, which is the caller's from now on.
  func take() -> (any WorkerProcess)? {
    defer { process = nil }
    return process
  }
}

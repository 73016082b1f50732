/// A worker process that the spawner's thread hands over to the loop's.
///
/// A process that the loop does not take is ended.
///
/// `@unchecked Sendable`: the spawner releases the process before the loop takes it, and only the
/// loop takes it.
final class StartedWorker: @unchecked Sendable {
  private var process: (any WorkerProcess)?

  init(_ process: sending any WorkerProcess) {
    self.process = process
  }

  deinit {
    process?.discard()
  }

  /// Takes the process, which the caller must end.
  func take() -> (any WorkerProcess)? {
    defer { process = nil }
    return process
  }
}

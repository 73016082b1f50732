import PoolSystem

/// A thread beside a run that does something again and again until the run is over.
final class RunThread: Sendable {
  private let isClosed = Monitor(false)

  /// Starts it.
  ///
  /// The closure returns after how many nanoseconds it is to be called again; nil for never.
  func start(
    named name: String,
    _ body: @escaping @Sendable () -> Int64?
  ) throws(SystemFailure) {
    try SystemThread.start(name: name, mask: .full) { [isClosed] in
      while !isClosed.withLock({ $0 }), let rest = body() {
        if isClosed.wait(until: MonotonicClock.now + rest, while: { !$0 }) { return }
      }
    }.detach()
  }

  /// Whether the run is over.
  var isOver: Bool { isClosed.withLock { $0 } }

  /// The run is over: the thread ends soon.
  func close() {
    isClosed.withLock { $0 = true }
    isClosed.broadcast()
  }
}

import PoolSystem

/// The pipes that the reader of live outputs waits for: those of the command that executes, and those
/// that earlier commands have left open.
struct WatchedPipes {
  private enum Key {
    static let wake = 0
    static let output = 1
    static let error = 2
    /// The first key of pipes that commands have left open; each has its own.
    static let firstLeft = 3
  }

  private let wakePipe: WakePipe
  private var poller = Poller()
  private var current: LivePipes?
  /// The read ends that earlier commands have left open, by their keys.
  private var left: [Int: Int32] = [:]
  private var nextKey = Key.firstLeft
  private var ready: [(key: Int, Poller.Readiness)] = []

  init(_ wakePipe: WakePipe) {
    self.wakePipe = wakePipe
    poller.watch(wakePipe.descriptor, for: .readable, key: Key.wake)
  }

  /// Waits until something can be read, or until it is woken.
  mutating func wait() {
    ready.removeAll(keepingCapacity: true)
    poller.wait(nanoseconds: nil, into: &ready)
    if ready.contains(where: { $0.key == Key.wake }) { wakePipe.drain() }
  }

  /// The pipes of the command that executes, if one of them can be read.
  var readable: LivePipes? {
    ready.contains { $0.key == Key.output || $0.key == Key.error } ? current : nil
  }

  /// Watches the pipes of the next command.
  mutating func watch(_ pipes: LivePipes) {
    leave()
    current = pipes
    poller.watch(pipes.output.read, for: .readable, key: Key.output)
    poller.watch(pipes.error.read, for: .readable, key: Key.error)
  }

  /// The current pipes no longer belong to a command; processes that it left behind may write to
  /// them.
  mutating func leave() {
    guard let pipes = current else { return }
    current = nil
    for (key, pipe) in [(Key.output, pipes.output), (Key.error, pipes.error)] {
      poller.forget(key: key)
      left[nextKey] = pipe.read
      poller.watch(pipe.read, for: .readable, key: nextKey)
      nextKey += 1
    }
    ready.removeAll { $0.key == Key.output || $0.key == Key.error }
  }

  /// Reads and drops bytes from the pipes that were left open; closes those that have ended.
  mutating func dropLeft() {
    for (key, _) in ready {
      guard let descriptor = left[key] else { continue }
      let isOver = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
        switch try? SystemIO.read(descriptor, into: buffer) {
        case .bytes, .wouldBlock: false
        case .endOfFile, nil: true
        }
      }
      guard isOver else { continue }
      poller.forget(key: key)
      left[key] = nil
      Descriptors.close(descriptor)
    }
  }
}

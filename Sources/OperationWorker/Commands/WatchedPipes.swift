import PoolSystem

/// The pipes that the reader of live outputs waits for: those of the command that executes.
struct WatchedPipes {
  private enum Key {
    static let wake = 0
    static let output = 1
    static let error = 2
  }

  private let wakePipe: WakePipe
  private var poller = Poller()
  private var current: LivePipes?
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
    forget()
    current = pipes
    poller.watch(pipes.output.read, for: .readable, key: Key.output)
    poller.watch(pipes.error.read, for: .readable, key: Key.error)
  }

  /// Hands over the pipes of a command that has ended, and whose processes may write to them.
  mutating func hand(_ pipes: LivePipes, to late: LateOutput) {
    if current == pipes { forget() }
    late.leave([pipes.output.read, pipes.error.read])
  }

  private mutating func forget() {
    current = nil
    for key in [Key.output, Key.error] { poller.forget(key: key) }
    ready.removeAll { $0.key == Key.output || $0.key == Key.error }
  }
}

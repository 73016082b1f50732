import CPoolSystem
package import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A command that was started and is not reaped.
///
/// Signals and reaping share a lock, because the number of a reaped process may belong to another
/// one. Waiting leaves the process unreaped, so that signals may be sent meanwhile.
package final class CommandProcess: Sendable {
  private struct State {
    var hasEnded = false
    var isReaped = false
  }

  /// The child's number, also that of its group if it leads one.
  package let identifier: Int32
  private let leadsGroup: Bool
  private let state = Monitor(State())

  package init(_ identifier: Int32, leadsGroup: Bool) {
    self.identifier = identifier
    self.leadsGroup = leadsGroup
  }

  /// Waits until the command itself has ended, not its descendants; calls the closure each time
  /// that a signal has stopped it.
  ///
  /// With a subreaper, orphans that end meanwhile are reaped.
  package func waitForEnd(
    reapingOrphans: Bool = false,
    stopped: (ProcessSignal) -> Void = { _ in }
  ) {
    guard !state.withLock({ $0.hasEnded }) else { return }
    var signal: Int32 = 0
    while true {
      let child = opool_await_change(reapingOrphans ? 0 : identifier, &signal)
      if child < 0, errno != EINTR { break }
      if isEnd(child, signal, stopped) { break }
    }
    noteEnd()
  }

  /// The same without waiting; returns whether the command has ended.
  package func takeEnd(reapingOrphans: Bool, stopped: (ProcessSignal) -> Void) -> Bool {
    var signal: Int32 = 0
    while true {
      let child = opool_take_change(reapingOrphans ? 0 : identifier, &signal)
      if child == 0 { return false }
      // Without a child, there is nothing to wait for.
      if child < 0, errno != EINTR { break }
      if isEnd(child, signal, stopped) { break }
    }
    noteEnd()
    return true
  }

  /// Handles a child that has changed; returns whether it is the command, and has ended.
  private func isEnd(_ child: Int32, _ signal: Int32, _ stopped: (ProcessSignal) -> Void) -> Bool {
    if child == identifier {
      if signal == 0 { return true }
      stopped(ProcessSignal(signal))
    } else if child > 0, signal == 0 {
      opool_reap_orphan(child)
    }
    return false
  }

  private func noteEnd() {
    state.withLock { $0.hasEnded = true }
    state.broadcast()
  }

  /// A descriptor that can be read when the command itself has ended, which the caller must close;
  /// nil if the system has none.
  package func openForEnd() -> Int32? {
    let descriptor = opool_open_process(identifier)
    return descriptor < 0 ? nil : descriptor
  }

  /// Whether the command itself has ended; asks the system.
  package var hasEnded: Bool { ProcessStatus.ending(ofChild: identifier) != nil }

  /// Waits until another thread has seen the end, or until the deadline; returns whether it ended.
  package func waitForEnd(until deadline: Int64) -> Bool {
    state.wait(until: deadline) { !$0.hasEnded }
  }

  /// Signals the command's group, or only the command if it leads none.
  ///
  /// Returns whether a process received the signal.
  @discardableResult
  package func send(_ signal: ProcessSignal) -> Bool {
    state.withLock { state in
      !state.isReaped && deliver(signal)
    }
  }

  /// Sends a signal unless the command has ended; returns whether it was sent.
  package func sendUnlessEnded(_ signal: ProcessSignal) -> Bool {
    state.withLock { state in
      !state.hasEnded && deliver(signal)
    }
  }

  private func deliver(_ signal: ProcessSignal) -> Bool {
    leadsGroup ? signal.send(toGroup: identifier) : signal.send(toProcess: identifier)
  }

  /// Takes the status of an ended command, and the resources that it used; call it once.
  package func reap() throws(SystemFailure) -> (PoolExitStatus, PoolResourceUsage) {
    try state.withLock { state throws(SystemFailure) in
      var code: Int32 = 0
      var signal: Int32 = 0
      var usage: [Int64] = [0, 0, 0]
      while opool_reap(identifier, &code, &signal, &usage) != 0 {
        guard errno == EINTR else { throw .last("wait4") }
      }
      state.isReaped = true
      return (
        signal == 0 ? .exited(code) : .signaled(signal),
        PoolResourceUsage(
          userMicroseconds: usage[0],
          systemMicroseconds: usage[1],
          peakMemoryBytes: usage[2]
        )
      )
    }
  }
}

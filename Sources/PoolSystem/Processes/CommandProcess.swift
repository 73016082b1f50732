import CPoolSystem
package import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A command that was started and not yet reaped.
///
/// Signals and reaping share a lock: the number of a process that was reaped may belong to a
/// stranger. Waiting leaves the process unreaped, so that signals may be sent meanwhile.
package final class CommandProcess: Sendable {
  private struct State {
    var hasEnded = false
    var isReaped = false
  }

  /// The child's number, which is also its group's where it leads one.
  package let identifier: Int32
  private let leadsGroup: Bool
  private let state = Monitor(State())

  init(_ identifier: Int32, leadsGroup: Bool) {
    self.identifier = identifier
    self.leadsGroup = leadsGroup
  }

  /// Waits until the command itself has ended, whatever it left behind.
  package func waitForEnd() {
    guard !state.withLock({ $0.hasEnded }) else { return }
    while opool_await_end(identifier) != 0, errno == EINTR {}
    noteEnd()
  }

  /// The command itself was seen to have ended.
  func noteEnd() {
    state.withLock { $0.hasEnded = true }
    state.broadcast()
  }

  /// Whether the command itself has ended; asks the system.
  package var hasEnded: Bool { ProcessStatus.ending(ofChild: identifier) != nil }

  /// Waits until another thread saw the end, or the deadline; returns whether it ended in time.
  package func waitForEnd(until deadline: Int64) -> Bool {
    state.wait(until: deadline) { !$0.hasEnded }
  }

  /// Sends a signal to the command's group, or to the command alone where it leads none.
  ///
  /// Returns whether there was anything left to receive it.
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

  /// Takes the status of a command that has ended, and what it consumed; once.
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

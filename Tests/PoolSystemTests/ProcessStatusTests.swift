import CPoolSystem
import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: of a process that a signal ends, this is known from the signal on, not only from the
/// end on.
@Suite("Process status", .enabled(if: ProcessStatus.isKnown))
struct ProcessStatusTests {
  private func start(_ script: String) throws -> CommandProcess {
    var launcher = CommandLauncher()
    let words = ["sh", "-c", script].map { Array($0.utf8) }
    return try launcher.start(CommandDescription(arguments: words, environment: .current))
  }

  /// Whether SIGKILL is among the pending signals of a process's `status`.
  private func isKillPending(_ status: String) -> Bool { opool_is_kill_pending(status) != 0 }

  @Test("A pending SIGKILL is one, for the process or its first thread; no other signal is")
  func pending() {
    #expect(isKillPending("Name:\tsh\nSigPnd:\t0000000000000100\nShdPnd:\t0\n"))
    #expect(isKillPending("SigPnd:\t0\nShdPnd:\t0000000000004100\n"))
    #expect(!isKillPending("SigPnd:\t4000\nShdPnd:\t0\nSigIgn:\t0100\n"))
    #expect(!isKillPending(""))
  }

  /// A SIGKILL stays pending to the end; of another signal only a flag is left.
  @Test(
    "What a signal has ended is being killed; what lives, or has exited, is not",
    arguments: [.kill, .terminate] as [ProcessSignal]
  )
  func ended(by signal: ProcessSignal) throws {
    let living = try start("exec sleep 1000")
    #expect(!ProcessStatus.isBeingKilled(living.identifier))
    #expect(living.send(signal))
    living.waitForEnd()
    #expect(ProcessStatus.isBeingKilled(living.identifier))
    _ = try living.reap()

    let exiting = try start("exit 9")
    exiting.waitForEnd()
    #expect(!ProcessStatus.isBeingKilled(exiting.identifier))
    _ = try exiting.reap()
  }

  @Test("What has ended is gone before it is reaped; what lives is not")
  func gone() throws {
    let child = try start("exec sleep 1000")
    #expect(!ProcessStatus.isGone(child.identifier))
    child.send(.kill)
    child.waitForEnd()
    #expect(ProcessStatus.isGone(child.identifier))
    _ = try child.reap()
  }

  @Test("A process is busy while it, or a descendant of it, wants a processor, and only then")
  func busy() throws {
    let spin = "while :; do :; done"
    for script in [spin, "(\(spin)) & wait"] {
      let child = try start("exec timeout 60 sh -c '\(script)'")
      while !ProcessStatus.isBusy(child.identifier) { sched_yield() }
      child.send(.kill)
      child.waitForEnd()
      _ = try child.reap()
    }
    let sleeper = try start("exec sleep 1000")
    while ProcessStatus.isBusy(sleeper.identifier) { sched_yield() }
    sleeper.send(.kill)
    sleeper.waitForEnd()
    #expect(!ProcessStatus.isBusy(sleeper.identifier))
    _ = try sleeper.reap()
  }
}

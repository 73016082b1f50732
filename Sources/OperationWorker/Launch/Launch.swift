package import PoolModel
package import PoolSystem

/// Starts a foreign worker command and stands between it and the coordinator that watches this
/// process.
///
/// The command speaks on this process's own standard streams. Where the system has the means, this
/// process becomes its guardian; elsewhere both are in the same process group, and this one
/// forwards signals. What this process inherited besides, Foundation's way of noticing its end
/// above all, stays here and reaches neither the command nor what the command starts.
package struct Launch {
  private static let forwarded: [ProcessSignal] = [
    .terminate, .interrupt, .hangUp, .quit, .user1, .user2, .continue,
  ]

  private let process: CommandProcess
  private let signals: SignalSet
  private let parent: Int32
  /// When the command is killed, once this process is alone.
  private var deadline: Int64?

  /// Starts the command and waits for its end; throws what could not be used, and why.
  ///
  /// The command ends with the process of that number, which started this one; without a number,
  /// with the process that is the parent now. No later run opens the journal meanwhile.
  package static func run(
    _ arguments: [[UInt8]],
    parent: Int32? = nil,
    journal: [UInt8]? = nil
  ) throws(SpawnFailure) -> PoolExitStatus {
    let parent = parent ?? CurrentProcess.parent
    if Guardian.prepare(holding: journal) { try guardCommand(arguments, parent) }
    let signals = SignalSet(forwarded + [.childEnded])
    CurrentProcess.resetSignals()
    signals.block()
    let hasParent = DeathSignal.arm(.terminate, parent: parent)
    StandardStreams.markInherited()
    var launcher = CommandLauncher()
    let process = try launcher.start(
      CommandDescription(arguments: arguments, environment: .current, leadsGroup: false)
    )
    // A copy kept here would hide from the other side that the command closed its own.
    try? StandardStreams.detach()
    var launch = Self(process: process, signals: signals, parent: parent)
    if !hasParent { launch.beginEnd() }
    return launch.wait()
  }

  /// Becomes the guardian of the command, which leads a group of its own.
  private static func guardCommand(
    _ arguments: [[UInt8]],
    _ parent: Int32
  ) throws(SpawnFailure) -> Never {
    // Forwarded once the command is there.
    SignalMask.full.apply()
    StandardStreams.markInherited()
    var launcher = CommandLauncher()
    let process = try launcher.start(
      CommandDescription(arguments: arguments, environment: .current, deathSignal: .kill)
    )
    Guardian.guardForeign(process, for: parent)
  }

  private init(process: CommandProcess, signals: SignalSet, parent: Int32) {
    self.process = process
    self.signals = signals
    self.parent = parent
  }

  private mutating func wait() -> PoolExitStatus {
    while !process.hasEnded {
      guard let signal = signals.wait(until: deadline) else {
        deadline = nil
        send(.kill)
        continue
      }
      receive(signal)
    }
    // There is no other thread that could have reaped it.
    return (try? process.reap().0) ?? .exited(1)
  }

  private mutating func receive(_ signal: ProcessSignal) {
    guard signal != .childEnded else { return }
    if CurrentProcess.parent == parent {
      process.send(signal)
    } else if deadline == nil {
      beginEnd()
    }
  }

  /// Nobody watches any more: the command has a second to end.
  private mutating func beginEnd() {
    deadline = MonotonicClock.now + .seconds(1)
    send(.terminate)
  }

  /// Signals the whole group where it is this process's own, and the command alone otherwise.
  private func send(_ signal: ProcessSignal) {
    if CurrentProcess.leadsGroup {
      signal.send(toGroup: CurrentProcess.identifier)
    } else {
      process.send(signal)
    }
  }
}

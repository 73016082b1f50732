package import PoolModel
package import PoolSystem

/// Starts a foreign worker command and watches it, while the coordinator watches this process.
///
/// The command uses this process's own standard streams. If the system supports it, this process
/// becomes its guardian; otherwise both are in the same process group, and this one forwards
/// signals. Other inherited descriptors, above all those by which Foundation notices the end of
/// this process, stay here and reach neither the command nor its children.
package struct ForeignLauncher {
  private static let forwarded: [ProcessSignal] = [
    .terminate, .interrupt, .hangUp, .quit, .user1, .user2, .continue,
  ]

  private let process: CommandProcess
  private let signals: SignalSet
  private let parent: Int32
  /// When the command is killed, after the parent has ended.
  private var deadline: Int64?

  /// Starts the command and waits for its end; throws an error that names what failed.
  ///
  /// The command ends with the process of the given number, which started this one, or otherwise
  /// with the current parent. While it lives, no later run opens the journal.
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
    // With a copy here, the other side would not notice that the command closed its own.
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
    // Blocked here, and forwarded once the command exists.
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
    // No other thread could have reaped it.
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

  /// The parent has ended: the command has a second to end.
  private mutating func beginEnd() {
    deadline = MonotonicClock.now + .seconds(1)
    send(.terminate)
  }

  /// Signals the whole group if it is this process's own, and otherwise the command alone.
  private func send(_ signal: ProcessSignal) {
    if CurrentProcess.leadsGroup {
      signal.send(toGroup: CurrentProcess.identifier)
    } else {
      process.send(signal)
    }
  }
}

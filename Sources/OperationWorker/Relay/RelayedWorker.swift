import PoolModel
import PoolSystem

/// A worker that a relay has started, or its guardian.
final class RelayedWorker {
  /// The relay's ends of its streams, which the pump closes.
  let input: Int32
  let output: Int32
  let error: Int32
  /// Can be read when the process has ended; nil if the system has no such descriptor.
  let watched: Int32?
  /// Whether the end is known.
  var hasEnded = false
  private let process: CommandProcess

  init(
    _ command: [[UInt8]],
    _ environment: ProcessEnvironment,
    _ launcher: inout CommandLauncher
  ) throws {
    let pipes = try StreamPipes()
    process = try launcher.start(
      CommandDescription(
        arguments: command,
        environment: environment,
        standardInput: pipes.theirs[0],
        standardOutput: pipes.theirs[1],
        standardError: pipes.theirs[2]
      )
    )
    watched = process.openForEnd()
    let ours = pipes.takeOurs()
    (input, output, error) = (ours[0], ours[1], ours[2])
  }

  deinit {
    if let watched { Descriptors.close(watched) }
  }

  var identifier: Int32 { process.identifier }
  var isUnwatched: Bool { watched == nil }
  /// Whether it has ended; asks the system.
  var isGone: Bool { process.hasEnded }

  func send(_ signal: ProcessSignal) {
    guard !isGone else { return }
    Guardian.send(signal, toWorkerOf: identifier)
  }

  /// Waits for its end, and ends what it has left behind; returns how it ended.
  func reap(beside others: Set<Int32>) -> PoolExitStatus {
    guard let (status, _) = try? process.reap() else { return .exited(1) }
    guard Adoption.isOn else { return status }
    guard status == .signaled(ProcessSignal.kill.number) else {
      // What commands have left on purpose comes here, too.
      Adoption.reap(beside: others)
      return status
    }
    let orphans = Adoption.Orphans(worker: 0, command: nil, hasUnannounced: true)
    Adoption.end([orphans], known: others, within: .seconds(5)) { _ in }
    return status
  }
}

import Foundation
import PoolModel
import PoolSystem
import Synchronization

/// One spawned worker: its process number and our ends of its three pipes.
///
/// Made with Foundation's `Process` and `Pipe` on the spawner's thread, used on the loop's.
/// `Pipe` does not mark its descriptors close-on-exec on Linux, so that is done at once: worker A
/// would otherwise inherit, and keep alive, worker B's input.
final class WorkerProcess {
  let pid: Int32
  /// Descriptors that do not block.
  let input: Int32
  let output: Int32
  let error: Int32
  /// Foundation's, where that started it.
  private let process: Process?
  /// Ours, where Foundation could not start it.
  private let child: CommandProcess?

  /// Takes over the descriptors: input, output, error.
  init(
    _ pid: Int32,
    _ descriptors: [Int32],
    process: Process? = nil,
    child: CommandProcess? = nil
  ) {
    self.pid = pid
    self.process = process
    self.child = child
    input = descriptors[0]
    output = descriptors[1]
    error = descriptors[2]
  }

  /// One spawn at a time in the whole process: what one thread has not marked close-on-exec yet,
  /// a child that another one starts would inherit.
  private static let turn = Mutex(())

  /// How many descriptors a spawn needs at most: three pipes, and Foundation's own.
  private static let descriptorsNeeded = 16

  /// Starts a program; `ended` is called once, on some thread, after it has ended.
  static func spawn(
    _ program: PoolWorkers.Program,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending WorkerProcess {
    try turn.withLock { _ in try start(program, ended: ended) }
  }

  private static func start(
    _ program: PoolWorkers.Program,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending WorkerProcess {
    // With too few descriptors left, `run` reports success and closes descriptor 0.
    try DescriptorHeadroom.demand(descriptorsNeeded)
    let process = try process(for: program)
    // Foundation counts descriptors in /proc, and cannot start anything where that is missing.
    guard ProcessStatus.isKnown else { return try startPlainly(process, ended: ended) }
    process.terminationHandler = { process in
      // Foundation keeps the process for ever, and with it what its handler holds.
      process.terminationHandler = nil
      ended(status(of: process))
    }
    let pipes = try (0..<3).map { _ in try Pipe.closedOnExec() }
    defer { for pipe in pipes { pipe.closeBothEnds() } }
    process.standardInput = pipes[0]
    process.standardOutput = pipes[1]
    process.standardError = pipes[2]
    let ours = [
      pipes[0].fileHandleForWriting, pipes[1].fileHandleForReading, pipes[2].fileHandleForReading,
    ]
    // Copies, because the handles of a pipe are closed by whoever lets go of them last.
    var copies: [Int32] = []
    do {
      for handle in ours { copies.append(try handle.copyNotBlocking()) }
      try process.run()
    } catch {
      for descriptor in copies { Descriptors.close(descriptor) }
      // Foundation never lets go of a process that failed to start.
      process.terminationHandler = nil
      throw error
    }
    return WorkerProcess(process.processIdentifier, copies, process: process)
  }

  /// How the process has ended; nil while it lives, and where nobody knows.
  ///
  /// Where Foundation had no thread to notice an end with, the system still knows.
  var status: PoolExitStatus? {
    guard let process, !process.isRunning else { return ProcessStatus.ending(ofChild: pid) }
    return Self.status(of: process)
  }

  private static func status(of process: Process) -> PoolExitStatus {
    let code = process.terminationStatus
    return process.terminationReason == .exit ? .exited(code) : .signaled(code)
  }

  /// Ends a process that came when nobody waited for it any more.
  func discard() {
    // The number of one that has ended may be another's by now.
    if process?.isRunning == true { ProcessSignal.kill.send(toProcess: pid) }
    child?.send(.kill)
    for descriptor in [input, output, error] { Descriptors.close(descriptor) }
  }

  private static func process(for program: PoolWorkers.Program) throws(PoolError) -> Process {
    let process = Process()
    process.stayInFolder()
    switch program {
    case .executable(let url, let arguments, let environment):
      // Looked at first, because a launch that fails leaks two descriptors.
      guard WorkerPrograms.isExecutable(url) else {
        throw PoolError(.noWorker, "'\(url.path(percentEncoded: false))' cannot be executed")
      }
      process.executableURL = url
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    case .command(let command):
      process.executableURL = try WorkerPrograms.standardWorker()
      // The launcher could not tell a parent that is process 1 from one that is gone.
      let parent = "--parent=\(CurrentProcess.identifier)"
      process.arguments = ["launch", parent, "--", "/bin/sh", "-c", "exec \(command)"]
    case .inProcess:
      preconditionFailure("the spawner is not asked for what lives in this process")
    }
    return process
  }
}

extension Process {
  /// Has the child begin in this process's own folder, as a fork would.
  ///
  /// Elsewhere than on Darwin, Foundation changes into the folder by its path, which fails where the
  /// folder cannot be entered again, as after `cd /root; sudo -u nobody`. With an empty path, it
  /// changes into none.
  fileprivate func stayInFolder() {
    #if !canImport(Darwin)
    currentDirectoryURL = URL(string: "file:")
    #endif
  }
}

extension Pipe {
  /// A pipe that no child inherits unless it is given it.
  fileprivate static func closedOnExec() throws(SystemFailure) -> Pipe {
    let pipe = Pipe()
    try Descriptors.setCloseOnExec(pipe.fileHandleForReading.fileDescriptor)
    try Descriptors.setCloseOnExec(pipe.fileHandleForWriting.fileDescriptor)
    return pipe
  }

  fileprivate func closeBothEnds() {
    // An end that Foundation has closed already is as good as closed.
    try? fileHandleForReading.close()
    try? fileHandleForWriting.close()
  }
}

extension FileHandle {
  /// A copy of the descriptor that does not block.
  fileprivate func copyNotBlocking() throws(SystemFailure) -> Int32 {
    // What copies of an end share: it is set before there is anything to be closed again.
    try Descriptors.setNonBlocking(fileDescriptor)
    return try Descriptors.duplicate(fileDescriptor)
  }
}

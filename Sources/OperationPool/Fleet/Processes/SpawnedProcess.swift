import Foundation
import PoolModel
import PoolSystem
import Synchronization

/// A worker process that the system has started.
///
/// Created on the spawner's thread, mostly with Foundation's `Process`; used on the loop's.
final class SpawnedProcess: WorkerProcess {
  let pid: Int32
  let input: Int32
  let output: Int32
  let error: Int32
  /// Foundation's `Process`, if that started the worker.
  let process: Process?
  /// The child, if Foundation could not start it.
  let child: CommandProcess?

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

  /// At most one spawn at a time in the whole process: Foundation's own socket is not
  /// close-on-exec, and a child started by another thread would inherit it.
  ///
  /// The value is whether Foundation has started one: then it has a thread of its own.
  private static let turn = Mutex(false)

  /// Workers that were started and not reaped.
  private static let living = Mutex<Set<Int32>>([])

  /// Maximum number of descriptors that a spawn needs: three pipes, and Foundation's own.
  ///
  /// With fewer, Foundation ends this process by SIGILL.
  private static let descriptorsNeeded = 20

  /// Starts the program that the closure describes; calls `ended` once, on some thread, after it
  /// has ended.
  ///
  /// With `plainly`, the program inherits descriptors that are not close-on-exec.
  static func spawn(
    plainly: Bool = false,
    ended: @escaping @Sendable (PoolExitStatus) -> Void,
    _ describe: (Process) throws -> Void
  ) throws -> sending SpawnedProcess {
    try turn.withLock { hasThread in
      // With too few descriptors left, `run` reports success and closes descriptor 0.
      try DescriptorHeadroom.demand(descriptorsNeeded)
      let process = Process()
      process.stayInFolder()
      try describe(process)
      return try start(process, plainly: plainly, &hasThread, ended: ended)
    }
  }

  /// Ends the processes that this process has adopted from workers whose guardians have died too;
  /// calls the closure with the place of each when nothing of it is left.
  static func end(_ remains: [Adoption.Orphans], ended: (Int) -> Void) {
    turn.withLock { _ in
      Adoption.end(remains, known: living.withLock { $0 }, within: .seconds(5), ended: ended)
    }
  }

  private static func start(
    _ process: Process,
    plainly: Bool,
    _ hasThread: inout Bool,
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending SpawnedProcess {
    // Foundation counts descriptors in /proc, and can start nothing if that is missing. It treats
    // the environment as text, and would replace bytes that are not UTF-8.
    guard ProcessStatus.isKnown, ProcessEnvironment.current.isText,
      !plainly, !DescriptorHeadroom.isCrowded,
      // Where it cannot start its thread, Foundation waits for it forever.
      hasThread || ThreadHeadroom.isThere
    else {
      return try startPlainly(process, inheriting: plainly, ended: ended)
    }
    process.terminationHandler = { process in
      // Foundation keeps the process forever, and with it everything that its handler holds.
      process.terminationHandler = nil
      living.withLock { _ = $0.remove(process.processIdentifier) }
      ended(status(of: process))
    }
    let pipes = try StreamPipes()
    let theirs = pipes.theirs.map { FileHandle(fileDescriptor: $0, closeOnDealloc: false) }
    process.standardInput = theirs[0]
    process.standardOutput = theirs[1]
    process.standardError = theirs[2]
    do {
      try process.run()
    } catch {
      // Foundation never releases a process that failed to start.
      process.terminationHandler = nil
      throw error
    }
    hasThread = true
    note(process)
    return SpawnedProcess(process.processIdentifier, pipes.takeOurs(), process: process)
  }

  /// Notes a living process; its end may have been reported already.
  private static func note(_ process: Process) {
    living.withLock { living in
      // Daemons adopted from the workers before this one may have ended.
      let mayHaveAdopted = !living.isEmpty && Adoption.isOn
      living.insert(process.processIdentifier)
      if mayHaveAdopted { Adoption.reap(beside: living) }
      if !process.isRunning { living.remove(process.processIdentifier) }
    }
  }

  /// Notes a process that Foundation has not started, before it can be reaped.
  static func note(started pid: Int32) { living.withLock { _ = $0.insert(pid) } }

  /// A process that Foundation has not started was reaped.
  static func note(reaped pid: Int32) { living.withLock { _ = $0.remove(pid) } }

  /// The exit status; nil while the process lives, or if it is unknown.
  ///
  /// If Foundation had no thread to notice the end, the system still knows it.
  var status: PoolExitStatus? {
    guard let process, !process.isRunning else { return ProcessStatus.ending(ofChild: pid) }
    return Self.status(of: process)
  }

  private static func status(of process: Process) -> PoolExitStatus {
    let code = process.terminationStatus
    return process.terminationReason == .exit ? .exited(code) : .signaled(code)
  }
}

extension Process {
  /// Starts the child in this process's current folder, as a fork would.
  ///
  /// On Linux, Foundation changes into the folder by its path, which fails if the folder cannot be
  /// entered again, as after `cd /root; sudo -u nobody`. With an empty path, it does not change the
  /// folder.
  fileprivate func stayInFolder() {
    #if !canImport(Darwin)
    currentDirectoryURL = URL(string: "file:")
    #endif
  }
}

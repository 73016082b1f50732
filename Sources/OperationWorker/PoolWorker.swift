import PoolModel
import PoolSystem
import PoolWire

/// Turns this process into a worker.
public enum PoolWorker {
  /// The variable that a coordinator sets to `1` for an executable that is its own worker.
  package static let variable = "OPOOL_WORKER"

  /// Serves operations if a coordinator started this process as a worker; otherwise returns at
  /// once.
  ///
  /// Call it first in `main`, before anything reads or prints:
  ///
  /// ```swift
  /// if try PoolWorker.serveIfSpawned(.operation(Thumbnail.self)) { return }
  /// ```
  ///
  /// - Parameter kinds: What this worker serves.
  /// - Returns: Whether this process was a worker; it should then end.
  /// - Throws: ``PoolWorkerError`` if the conversation could not begin or was broken off.
  public static func serveIfSpawned(_ kinds: WorkerKind...) throws(PoolWorkerError) -> Bool {
    try serveIfSpawned(kinds)
  }

  /// The same for an array of kinds.
  ///
  /// Throws ``PoolWorkerError`` for the same reasons.
  public static func serveIfSpawned(_ kinds: [WorkerKind]) throws(PoolWorkerError) -> Bool {
    // Removed from the environment, so that children of the operations do not act as workers.
    guard ProcessEnvironment.take(variable) == "1" else { return false }
    try serve(kinds)
    return true
  }

  /// Serves operations until the input ends.
  ///
  /// The standard input and output become the worker's own: from here on, what this process reads
  /// is empty, and what it prints goes to the standard error stream. Operations execute one after
  /// the other on the calling thread. When the input ends while one executes, the process ends at
  /// once, with the commands that it started.
  ///
  /// - Parameter kinds: What this worker serves.
  /// - Throws: ``PoolWorkerError`` if the conversation could not begin or was broken off.
  public static func serve(_ kinds: [WorkerKind]) throws(PoolWorkerError) {
    try serve(kinds, isStandard: false)
  }

  /// Serves commands, in a program that does nothing else, while it has one thread.
  ///
  /// All its children are commands, or descendants of commands, which get the inherited descriptors
  /// of these numbers. No later run opens the journal while this process or its guardian lives.
  package static func serveCommands(
    for journal: [UInt8]?,
    passing descriptors: [Int32] = []
  ) throws(PoolWorkerError) {
    Guardian.begin(holding: journal)
    try serve([.command], isStandard: true, passing: descriptors)
  }

  private static func serve(
    _ kinds: [WorkerKind],
    isStandard: Bool,
    passing descriptors: [Int32] = []
  ) throws(PoolWorkerError) {
    let table = try WorkerKind.table(of: kinds)
    _ = ProcessEnvironment.take(variable)
    let connection = try begin(table, isStandard: isStandard, passing: descriptors)
    let loop = WorkerLoop(kinds: table, connection: connection)
    try loop.run()
  }

  /// Takes over the streams, sends the greeting and starts the I/O thread.
  private static func begin(
    _ kinds: [String: WorkerKind],
    isStandard: Bool,
    passing descriptors: [Int32]
  ) throws(PoolWorkerError) -> CoordinatorConnection {
    do throws(SystemFailure) {
      let streams = try StandardStreams.take()
      for number in descriptors { try Descriptors.setCloseOnExec(number, false) }
      // If the coordinator has gone, a write returns an error, and this process does not end.
      ProcessSignal.pipe.ignore()
      // The same for a limit of file sizes: it is for the outputs of commands.
      ProcessSignal.fileSize.ignore()
      // If the parent had it ignored, no child could be waited for.
      if ProcessSignal.childEnded.isIgnored { ProcessSignal.childEnded.reset() }
      armDeathSignal(isStandard: isStandard)
      let connection = CoordinatorConnection(streams, subreaper: isStandard ? Subreaper() : nil)
      // Its mask is full, so that signals reach the thread that executes. It rests until an
      // operation executes, and is made before the greeting: a worker without the thread gets no
      // operation.
      try SystemThread.start(name: "opool-io", mask: .full, connection.runIOThread).detach()
      try connection.open(.ofProcess(serving: kinds, isStandard: isStandard))
      return connection
    } catch {
      let message = "the worker cannot start: \(error)"
      throw PoolWorkerError(.system, message, isShortage: error.isShortage)
    }
  }

  /// A second safeguard, for a coordinator that dies while another process keeps this input open.
  private static func armDeathSignal(isStandard: Bool) {
    // A worker whose commands are processes must live long enough to end them.
    if isStandard { return GroupCleanup.install() }
    // Swift's own handler would print a crash report, and the worker would continue.
    if !ProcessSignal.quit.isIgnored { ProcessSignal.quit.reset() }
    // If the parent has already gone, the end of the input will end this worker.
    _ = DeathSignal.arm(.kill, parent: CurrentProcess.parent)
  }
}

extension Hello {
  /// The greeting of a worker process.
  fileprivate static func ofProcess(
    serving kinds: [String: WorkerKind],
    isStandard: Bool
  ) -> Self {
    var hello = Self(serving: kinds)
    hello.capabilities.insert(.marks)
    if isStandard { hello.capabilities.insert(.teardown) }
    // On other systems, no process can open another one's descriptors.
    #if os(Linux)
    hello.capabilities.formUnion([.files, .outbox])
    #endif
    return hello
  }

  /// The greeting of a worker that shares nothing with the coordinator but its streams.
  init(serving kinds: [String: WorkerKind]) {
    self.init(
      pid: CurrentProcess.identifier,
      kinds: kinds.keys.sorted(),
      capabilities: [.prefetch, .recall, .cancel, .ping, .drain, .inputs, .attachments]
    )
  }
}

extension WorkerKind {
  /// Kinds by their names.
  static func table(of kinds: [Self]) throws(PoolWorkerError) -> [String: Self] {
    var table: [String: Self] = [:]
    for kind in kinds where table.updateValue(kind, forKey: kind.name) != nil {
      throw PoolWorkerError(.duplicateKind, "two kinds are named '\(kind.name)'")
    }
    return table
  }
}

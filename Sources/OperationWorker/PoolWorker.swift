import PoolModel
import PoolSystem
import PoolWire

/// Turns this process into a worker.
public enum PoolWorker {
  /// Serves operations if a coordinator started this process as a worker; otherwise returns at
  /// once.
  ///
  /// Call it first in `main`, before anything reads, prints or awaits:
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
    guard ProcessEnvironment.take(WorkerVariable.name) == "1" else { return false }
    try serve(kinds)
    return true
  }

  /// Serves operations until the input ends.
  ///
  /// The standard input and output become the worker's own: from here on, what this process reads
  /// is empty, and what it prints goes to the standard error stream. Operations execute one after
  /// the other on a thread of their own, with the main thread's stack limit. The calling thread,
  /// which must be the main one, meanwhile executes what operations give to the main actor and to
  /// the main dispatch queue. When the input ends while an operation executes, the process ends at
  /// once, with the commands that it started. It also ends if an operation ends its thread: that
  /// operation is lost.
  ///
  /// Started with an argument `--slots=K`, this process is a relay instead: it starts itself up to
  /// *K* times without that argument, at most 1,024, and carries the streams of those workers over
  /// its own two, so that one connection to a machine serves *K* operations at once (`auto` is the
  /// number of processors):
  /// `ssh host my-worker --slots=16`.
  ///
  /// - Parameter kinds: What this worker serves.
  /// - Throws: ``PoolWorkerError`` if the conversation could not begin or was broken off, and if
  ///   the main queue cannot be served here, because `main` has awaited something before.
  public static func serve(_ kinds: [WorkerKind]) throws(PoolWorkerError) {
    guard MainQueue.isUnserved else {
      throw PoolWorkerError(
        .misplacedCall,
        "a worker cannot begin here: call 'PoolWorker' on the main thread, before the first 'await'"
      )
    }
    BacktraceSetting.restore()
    if try Relay.serveIfAsked() { return }
    let table = try WorkerKind.table(of: kinds)
    let connection = try begin(table)
    try OperationThread(kinds: table, connection).serve(.ofProcess(serving: table))
  }

  /// Serves commands, in a program that does nothing else, while it has one thread.
  ///
  /// All its children are commands, or descendants of commands, which get the inherited descriptors
  /// of these numbers. No later run opens the journal while this process or its guardian lives.
  package static func serveCommands(
    for journal: [UInt8]?,
    passing descriptors: [Int32] = []
  ) throws(PoolWorkerError) {
    BacktraceSetting.restore()
    Guardian.begin(holding: journal)
    let table = try WorkerKind.table(of: [.command])
    let connection = try begin(table, isStandard: true, passing: descriptors)
    let loop = WorkerLoop(kinds: table, connection: connection)
    try loop.run(after: .ofProcess(serving: table, isStandard: true))
  }

  /// Takes over the streams, and starts the I/O thread.
  private static func begin(
    _ kinds: [String: WorkerKind],
    isStandard: Bool = false,
    passing descriptors: [Int32] = []
  ) throws(PoolWorkerError) -> CoordinatorConnection {
    _ = ProcessEnvironment.take(WorkerVariable.name)
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
      return connection
    } catch {
      throw .cannotStart(error)
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
    isStandard: Bool = false
  ) -> Self {
    var hello = Self(serving: kinds)
    hello.capabilities.insert(.marks)
    if isStandard { hello.capabilities.formUnion([.teardown, .tail, .timeout]) }
    // Without a guardian, commands could outlive the worker.
    let isLeased = ProcessLease.isSupported && (!isStandard || Guardian.exists)
    if isLeased { hello.capabilities.insert(.lease) }
    if isLeased, isStandard { hello.capabilities.insert(.stop) }
    hello.capabilities.formUnion([.checksum, .window])
    let host = String(decoding: MachineIdentity.hostName, as: UTF8.self)
    if !host.isEmpty { hello.host = host }
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

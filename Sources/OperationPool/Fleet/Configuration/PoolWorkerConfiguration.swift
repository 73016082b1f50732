public import Foundation
public import OperationWorker
package import PoolCore
import PoolModel
import PoolSystem
package import PoolWire

/// Which programs execute the operations of a pool, and how many of them live at once.
///
/// ```swift
/// let queue = try PoolOperationQueue(workers: .thisExecutable(count: 4))
/// ```
public struct PoolWorkerConfiguration: Sendable {
  /// How they are started, and where; nil for block workers, which are no processes.
  private(set) var launcher: (any WorkerLauncher)?

  /// Maximum number of workers that live at once; a fleet refuses less than 1.
  public let count: Int

  /// The most workers behind a relay, whatever number of slots that says it has.
  private(set) var cap = Int.max

  /// The kinds that the workers serve, if known before the first has started.
  let kinds: [String]?

  /// What the machines of the workers have; see ``PoolOperationOptions/constraint``.
  public private(set) var features: Set<String> = []

  /// When working workers are replaced.
  public private(set) var recycling = PoolRecycling.never

  /// Which of their crashes have a backtrace.
  var backtraces = PoolBacktraces.first

  /// The receiver of the lines that they print; nil if there is none.
  var printer: (any LinePrinter)? = StandardErrorPrinter.shared

  /// Nanoseconds that a worker has to greet; nil for the pool's times.
  private(set) var greetingTimeout: Int64?

  /// What gives workers more time to greet, for messages.
  private(set) var greetingAdvice = "'greeting(within:)' of its configuration gives it longer"

  /// How long they live without an answer, where they may be on another machine.
  private(set) var lease = LeaseTerms.usual

  /// Used only for kinds that all other workers, broken ones included, are known not to serve.
  var isReserve = false

  /// Starts all its workers at once, so that their kinds are soon known.
  var isEager = false

  /// Milliseconds that they wait for output of processes which a command has left behind; nil for
  /// their own choice.
  private(set) var outputGrace: Int?

  /// Streams of this process that they inherit, so that commands can write to them.
  var streams: InheritedStreams? { launcher?.streams }

  /// Whether they execute blocks in this process.
  var executesBlocks: Bool { launcher == nil }

  /// Number of processors that this process may use: those of its affinity, or the processor time
  /// that its cgroups allow, rounded up, if that is less.
  public static var defaultCount: Int { Processors.available }

  /// The running program, executed again; it must call `PoolWorker.serveIfSpawned` first of all.
  public static func thisExecutable(
    count: Int = Self.defaultCount
  ) -> Self {
    .executable(WorkerPrograms.thisExecutable, count: count)
  }

  /// A program that speaks the protocol on its standard input and output.
  public static func executable(_ url: URL, arguments: [String] = [], count: Int) -> Self {
    Self(ExecutableLauncher(url: url, arguments: arguments, environment: marker), count)
  }

  /// A shell command that starts a worker, such as `ssh host opool-worker`, or a relay, which
  /// counts as one worker until it has greeted, and as many as it has slots from there on: `ssh
  /// host opool-worker --slots=8` has eight, over one connection.
  ///
  /// The launcher of `opool-worker` runs it as `sh -c 'exec COMMAND'`, and provides what the pool
  /// needs of a child process. Of several commands, as in `sleep 5; exec worker`, the last one
  /// needs an `exec` of its own.
  public static func command(_ command: String, count: Int) -> Self {
    Self(ForeignCommandLauncher(command), count)
  }

  /// Standard workers on a host that ssh reaches, where `opool-worker` is on PATH, over one
  /// connection.
  ///
  /// ssh asks for no password: it needs a key, an agent, or a connection that the user's own
  /// configuration shares.
  ///
  /// ```swift
  /// let queue = try PoolOperationQueue(workers: .ssh("build@box", slots: 8))
  /// ```
  ///
  /// - Parameters:
  ///   - host: `HOST`, `USER@HOST`, or a command that ends with one, such as `ssh -p 2222 HOST`.
  ///   - slots: Number of workers, from 1 to 1,024; nil for as many as the host has processors. The
  ///     configuration counts as one worker until the host has said how many.
  /// - Returns: The configuration.
  /// - Throws: `PoolError` if no host could be called that, or the number is not possible.
  public static func ssh(_ host: String, slots: Int? = nil) throws -> Self {
    guard let login = SSHLogin(host) else {
      throw PoolError(.noWorker, "'\(host)' is no host that ssh could reach")
    }
    if let slots, !(1...Relay.slotLimit).contains(slots) {
      throw PoolError(
        .noWorker,
        "\(slots) workers cannot be on one host, but 1 to \(Relay.slotLimit)"
      )
    }
    return .ssh(login, slots: slots, after: HostSetup())
  }

  /// The same for a host whose number of workers may change: over one connection, which has room
  /// for the most that a host may have.
  package static func ssh(changing login: SSHLogin, slots: Int, after setup: HostSetup) -> Self {
    var workers = ssh(login, slots: SSHLogin.slotLimit, after: setup)
    workers.cap = slots
    return workers
  }

  /// The same for a host that was checked, and what it does first.
  package static func ssh(_ login: SSHLogin, slots: Int?, after setup: HostSetup) -> Self {
    let launcher = HostLauncher { login.line(slots: slots, lease: $0, after: setup) }
    return Self(launcher, 1, kinds: [CommandPayload.kind])
  }

  /// Standard workers on the nodes of the Slurm job that this process is part of: a configuration
  /// for each node, with as many workers as the job has processors there, over one step.
  ///
  /// `opool-worker` must have the same path there.
  ///
  /// ```swift
  /// let fleet = try PoolFleet(PoolWorkerConfiguration.slurm())
  /// ```
  ///
  /// Throws `PoolError` if this process is in no allocation (`salloc`, `sbatch`), or `opool-worker`
  /// is not found.
  public static func slurm() throws -> [Self] {
    guard let allocation = SlurmAllocation(.current) else {
      throw PoolError(.noWorker, "this is no job of Slurm: begin with salloc or sbatch")
    }
    return try allocation.nodes.map { try .slurm($0) }
  }

  /// The workers on one node.
  package static func slurm(_ node: SlurmAllocation.Node) throws -> Self {
    let program = try WorkerPrograms.standardWorker().path(percentEncoded: false)
    let launcher = HostLauncher { _ in node.line(program: program) }
    return Self(launcher, 1, kinds: [CommandPayload.kind])
  }

  /// The standard worker, `opool-worker`, which serves commands.
  ///
  /// Throws `PoolError` if the program is neither beside the running one nor on PATH.
  public static func standard(
    count: Int = Self.defaultCount
  ) throws -> Self {
    let launcher = ExecutableLauncher(url: try WorkerPrograms.standardWorker())
    return Self(launcher, count, kinds: [CommandPayload.kind])
  }

  /// Threads of this process in place of worker processes, for unit tests and debugging.
  ///
  /// They execute the operations of these kinds like processes, with the same states, outcomes,
  /// retries, progress and errors; inputs and results are encoded as well. <doc:Testing> lists the
  /// differences: an operation that does not stop when it is asked to is abandoned, not killed, and
  /// a crash ends this process.
  public static func inProcess(_ kinds: WorkerKind..., count: Int = Self.defaultCount) -> Self {
    inProcess(kinds, count: count)
  }

  /// The same for an array of kinds.
  public static func inProcess(_ kinds: [WorkerKind], count: Int = Self.defaultCount) -> Self {
    Self(HostedLauncher(kinds: kinds), count, kinds: kinds.map(\.name))
  }

  /// Workers in this process for blocks: so many that blocks may wait for one another.
  static let blocks = Self(nil, 256, kinds: [BlockWorker.kind])

  /// The same workers, on machines that have these features, for operations whose
  /// ``PoolOperationOptions/constraint`` names some.
  ///
  /// ```swift
  /// let fleet = try PoolFleet(.standard(count: 4), .ssh("big", slots: 8).having("gpu", "ssd"))
  /// ```
  ///
  /// They also execute operations without a constraint.
  ///
  /// - Parameter features: Names of 1 to 64 letters and digits of ASCII, and `.`, `_`, `-`, `:` and
  ///   `=`.
  /// - Returns: The configuration.
  /// - Precondition: A feature may be called that.
  public func having(_ features: String...) -> Self { having(Set(features)) }

  /// The same for a set of features.
  public func having(_ features: Set<String>) -> Self {
    let wrong = features.first { !ConstrainedKind.isFeature($0) }
    precondition(wrong == nil, "'\(wrong ?? "")' is no name of a feature")
    var copy = self
    copy.features.formUnion(features)
    return copy
  }

  /// The same workers, with these limits; see ``PoolRecycling``.
  public func recycled(_ recycling: PoolRecycling) -> Self {
    var copy = self
    copy.recycling = recycling
    return copy
  }

  /// The same workers, each of which is killed if it has not greeted within this time.
  ///
  /// The time begins with its start, or with the latest greeting of a worker that was started
  /// before it. By default it is 10 s for the running program and for `opool-worker`, and 60 s for
  /// others: give a worker longer that loads a model. A command that begins with `ssh`, `srun` or
  /// `salloc` has no limit by default: while it lives and is silent, its worker is pending. A time
  /// that is not above zero counts as one nanosecond.
  ///
  /// ```swift
  /// let workers = PoolWorkerConfiguration.command("./load-model-and-work", count: 2)
  ///   .greeting(within: .seconds(300))
  /// ```
  public func greeting(within time: Duration) -> Self {
    var copy = self
    copy.greetingTimeout = max(Int64.nanoseconds(of: time), 1)
    return copy
  }

  /// The same workers; those that may be on another machine end when this machine has not answered
  /// them for so long, and with them what they execute.
  ///
  /// When a link breaks, nobody can say what goes on behind it. So an operation that a worker had
  /// when its link broke is told as lost, or executed again, only when the worker has certainly
  /// ended: this time, a fifth of it and one second after it was last heard of. Until then the
  /// operation keeps its slot and its units. With a shorter time, that comes earlier, and shorter
  /// outages end what is executed. By default it is 300 s; less than 5 s counts as 5 s.
  ///
  /// ```swift
  /// let workers = PoolWorkerConfiguration.command("ssh host opool-worker --slots=8", count: 1)
  ///   .lease(.seconds(30))
  /// ```
  ///
  /// Workers of this machine need none. Nor does a worker of another program that does not offer
  /// it: of that one, nothing says how long it executes when its link is broken.
  public func lease(_ time: Duration) -> Self {
    var copy = self
    copy.lease = LeaseTerms(length: .nanoseconds(of: time))
    copy.launcher = launcher?.leased(copy.lease)
    return copy
  }

  /// The same workers, with another time to greet, unless it is nil, and other words for what
  /// changes it.
  package func greeting(within nanoseconds: Int64?, advice: String) -> Self {
    var copy = self
    copy.greetingTimeout = nanoseconds ?? greetingTimeout
    copy.greetingAdvice = advice
    return copy
  }

  /// Whether neither this package nor the running program is what they execute.
  private var areForeign: Bool { launcher?.isForeign == true && kinds == nil }

  /// Nanoseconds that a worker has to greet, with these defaults; `Int64.max` for no limit.
  package func greetingTimeout(by policy: PoolPolicy) -> Int64 {
    if let greetingTimeout { return greetingTimeout }
    if launcher?.mayWait == true { return .max }
    return areForeign ? policy.foreignGreetingTimeout : policy.greetingTimeout
  }

  /// The same workers, used only for kinds that all others are known not to serve.
  ///
  /// They do not replace workers that could not be started or kept alive: operations for those
  /// fail.
  package var asReserve: Self {
    var copy = self
    copy.isReserve = true
    return copy
  }

  /// The same workers, all started at once, so that their kinds are soon known.
  package var asEager: Self {
    var copy = self
    copy.isEager = true
    return copy
  }

  /// The same workers, which wait that many milliseconds for output of processes that a command has
  /// left behind.
  package func waitingForOutput(milliseconds: Int?) -> Self {
    var copy = self
    copy.outputGrace = milliseconds
    return copy
  }

  /// The same standard workers, which inherit these streams of this process.
  ///
  /// The streams must stay open as long as this process lives; its other children do not inherit
  /// them unless they are started in the same way.
  package func inheriting(_ streams: InheritedStreams) -> Self {
    changingExecutable { $0.streams = streams }
  }

  /// The same, for standard workers and commands that lock the journal against later runs as long
  /// as any process lives that they have started.
  ///
  /// A path that is not UTF-8 cannot be passed to them, and is left out.
  package func holding(journal: [UInt8]?) -> Self {
    guard let path = journal.flatMap({ String(validating: $0, as: UTF8.self) }) else { return self }
    var copy = self
    copy.launcher = launcher?.holding(journal: path)
    return copy
  }

  /// The same standard workers, whose commands get these descriptors of this process under the same
  /// numbers.
  package func passing(_ descriptors: [Int32]) -> Self {
    guard !descriptors.isEmpty else { return self }
    let list = descriptors.map(String.init).joined(separator: ",")
    return changingExecutable {
      $0.arguments.append("--pass-fd=" + list)
      $0.passedDescriptors = descriptors
    }
  }

  /// The same standard workers, with one more variable in their environment, which their commands
  /// get as well.
  package func setting(_ variable: String, to value: String) -> Self {
    changingExecutable { $0.environment[variable] = value }
  }

  /// The same workers, with a changed launcher, if they are started from an executable.
  private func changingExecutable(_ change: (inout ExecutableLauncher) -> Void) -> Self {
    guard var executable = launcher as? ExecutableLauncher else { return self }
    change(&executable)
    var copy = self
    copy.launcher = executable
    return copy
  }

  /// Tells a program that it was started as a worker.
  private static let marker = [WorkerVariable.name: "1"]

  /// Workers that are started in this way, of which so many live at once; their kinds, if these are
  /// known before the first has greeted.
  init(_ launcher: (any WorkerLauncher)?, _ count: Int, kinds: [String]? = nil) {
    (self.launcher, self.count, self.kinds) = (launcher, count, kinds)
  }
}

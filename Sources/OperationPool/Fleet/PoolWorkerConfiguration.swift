public import Foundation
public import OperationWorker
import PoolSystem
package import PoolWire

/// Which programs execute the operations of a pool, and how many of them live at once.
///
/// ```swift
/// let queue = try PoolOperationQueue(workers: .thisExecutable(count: 4))
/// ```
public struct PoolWorkerConfiguration: Sendable {
  private(set) var program: WorkerProgram

  /// How many workers may live at once; a fleet refuses less than 1.
  public let count: Int

  /// The kinds that the workers serve, where that is known before the first has started.
  let kinds: [String]?

  /// When workers are replaced that still work.
  public private(set) var recycling = PoolRecycling.never

  /// What takes the lines that they print; nil where nothing does.
  var printer: (any LinePrinter)? = StandardErrorPrinter.shared

  /// Used only for kinds that all other workers are known not to serve, dead or alive.
  var isReserve = false

  /// All are started at once, so that it is soon known what they serve.
  var isEager = false

  /// Streams of this process that they inherit, and that commands may write to.
  var streams: InheritedStreams? { program.executable?.streams }

  /// Whether they execute blocks or groups, in this process.
  var isInProcess: Bool {
    if case .blocks = program { return true }
    return false
  }

  /// Number of processors that this process may use: those that its affinity allows, or as many as
  /// the processor time of its cgroups is worth, rounded up, where that is less.
  public static var defaultCount: Int { Processors.available }

  /// The running program, executed again; it must call `PoolWorker.serveIfSpawned` first of all.
  public static func thisExecutable(
    count: Int = Self.defaultCount
  ) -> Self {
    .executable(WorkerPrograms.thisExecutable, count: count)
  }

  /// A program that speaks the protocol on its standard input and output.
  public static func executable(_ url: URL, arguments: [String] = [], count: Int) -> Self {
    let program = WorkerExecutable(url: url, arguments: arguments, environment: marker)
    return Self(program: .executable(program), count, kinds: nil)
  }

  /// A shell command that starts a worker, such as `ssh host opool-worker`.
  ///
  /// The launcher of `opool-worker` runs it as `sh -c 'exec COMMAND'`, and does for it what the pool
  /// needs of a child process.
  public static func command(_ command: String, count: Int) -> Self {
    Self(program: .command(command), count, kinds: nil)
  }

  /// The standard worker, `opool-worker`, which serves commands.
  ///
  /// Throws `PoolError` where the program is neither beside the running one nor on PATH.
  public static func standard(
    count: Int = Self.defaultCount
  ) throws -> Self {
    let program = WorkerExecutable(url: try WorkerPrograms.standardWorker())
    return Self(program: .executable(program), count, kinds: [CommandPayload.kind])
  }

  /// Threads of this process in place of worker processes, for unit tests and debugging.
  ///
  /// They execute the operations of these kinds as processes would, with the same states, outcomes,
  /// retries, progress and errors; inputs and results are encoded all the same. What differs is
  /// said in <doc:Testing>: an operation that does not stop when it is asked to is abandoned, not
  /// killed, and a crash ends this process.
  public static func inProcess(_ kinds: WorkerKind..., count: Int = Self.defaultCount) -> Self {
    inProcess(kinds, count: count)
  }

  /// The same for an array of kinds.
  public static func inProcess(_ kinds: [WorkerKind], count: Int = Self.defaultCount) -> Self {
    Self(program: .hosted(kinds), count, kinds: kinds.map(\.name))
  }

  /// Workers of this process, for blocks; so many that blocks may wait for one another.
  static let blocks = Self(program: .blocks, 256, kinds: [InProcessWorker.kind])

  /// Workers of this process for groups, which wait for their members: so many that no group waits
  /// for the end of another.
  static let groups = Self(program: .blocks, .max, kinds: [InProcessWorker.groupKind])

  /// Whether this process can open their files.
  var areLocal: Bool {
    ForeignDescriptor.isAvailable && program.executable != nil
  }

  /// The same workers, replaced now and then; see ``PoolRecycling``.
  public func recycled(_ recycling: PoolRecycling) -> Self {
    var copy = self
    copy.recycling = recycling
    return copy
  }

  /// The same workers, used only for kinds that all others are known not to serve.
  ///
  /// They do not replace workers that could not be started or kept alive: an operation for those
  /// fails.
  package var asReserve: Self {
    var copy = self
    copy.isReserve = true
    return copy
  }

  /// The same workers, all started at once, so that it is soon known what they serve.
  package var asEager: Self {
    var copy = self
    copy.isEager = true
    return copy
  }

  /// The same standard workers, which inherit these streams of this process.
  ///
  /// They are open as long as this process lives, and its other children do not inherit them unless
  /// they are started in the same way.
  package func inheriting(_ streams: InheritedStreams) -> Self {
    changingExecutable { $0.streams = streams }
  }

  /// The same, for standard workers and commands, which keep a later run from a journal while
  /// anything lives of what they have started.
  ///
  /// A path that is not UTF-8 cannot be handed to them, and is left out.
  package func holding(journal: [UInt8]?) -> Self {
    guard let path = journal.flatMap({ String(validating: $0, as: UTF8.self) }) else { return self }
    if case .command(let command, _) = program {
      var copy = self
      copy.program = .command(command, journal: path)
      return copy
    }
    return changingExecutable { $0.arguments.append("--journal=" + path) }
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

  /// The same workers, started from a changed program, where they are started from one.
  private func changingExecutable(_ change: (inout WorkerExecutable) -> Void) -> Self {
    guard var executable = program.executable else { return self }
    change(&executable)
    var copy = self
    copy.program = .executable(executable)
    return copy
  }

  /// Tells a program that it was started as a worker.
  private static let marker = [PoolWorker.variable: "1"]

  private init(program: WorkerProgram, _ count: Int, kinds: [String]?) {
    self.program = program
    self.count = count
    self.kinds = kinds
  }
}

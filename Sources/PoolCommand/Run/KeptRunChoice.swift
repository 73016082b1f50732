import PoolModel
import PoolReports
import PoolSystem
import PoolText

/// Whether the records of a run are kept for `opool report`, and of how many runs.
///
/// They are where a person watches, and may want to know afterwards what took so long.
struct KeptRunChoice {
  /// The value of ``KeptRunList/variable``, if it is set.
  var wish: [UInt8]?
  var isErrorTerminal = false
  /// The folder of this user.
  var home: StateFolder?

  /// Number of runs that are kept.
  var count: Int {
    guard let wish, let count = DecimalParser.integer(wish) else { return KeptRunList.countLimit }
    return min(count, KeptRunList.countLimit)
  }

  /// Where this run is kept; nil for nowhere.
  var folder: StateFolder? { isErrorTerminal && count > 0 ? home : nil }

  /// The choice that this process's environment and streams lead to.
  static var current: Self {
    // Most runs are on no terminal, and need nothing else.
    guard Descriptors.isTerminal(2) else { return Self() }
    let environment = ProcessEnvironment.current
    return Self(
      wish: environment.value(of: KeptRunList.variable),
      isErrorTerminal: true,
      home: KeptRunFolder(environment)?.folder
    )
  }
}

extension KeptRun {
  /// Keeps a run that began so many nanoseconds after 1970; nil if it is not to be kept.
  convenience init?(
    _ choice: KeptRunChoice,
    from start: Int64,
    now: @escaping @Sendable () -> Instant
  ) {
    guard let folder = choice.folder else { return nil }
    let name = RunFileName(.records, start: start, process: CurrentProcess.identifier)
    self.init(in: folder, as: name, among: choice.count, now: now)
  }
}

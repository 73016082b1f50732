import PoolModel
import PoolReports
import Synchronization

/// The workers that the user names for a run, by their worker configuration, and the names of the
/// places where they are.
///
/// Those of the options come first, then opool's own, which have no entry, then hosts of `--hosts`
/// that came later.
final class WorkerRoster: Sendable {
  struct Entry: Hashable {
    var request: WorkerRequest
    /// Whether its host is not in the file any more.
    var isWithdrawn = false

    init(_ request: WorkerRequest) { self.request = request }
  }

  /// A place, by its worker configuration.
  struct Place {
    let configuration: Int
    let state: PlaceState
  }

  /// The most characters of a name.
  private static let width = 30

  private let all: Mutex<[Entry?]>

  /// The workers of the options; with opool's own behind them, or not.
  init(_ workers: [WorkerRequest], hasOwn: Bool = false) {
    all = Mutex(workers.map(Entry.init) + (hasOwn ? [nil] : []))
  }

  /// By worker configuration; nil for opool's own.
  var entries: [Entry?] { all.withLock { $0 } }

  /// What the user has asked for with that worker configuration.
  func request(of configuration: Int) -> WorkerRequest? {
    all.withLock { $0.indices.contains(configuration) ? $0[configuration]?.request : nil }
  }

  /// Notes a worker configuration that the fleet is about to get; the closure adds it, or returns
  /// false.
  func add(_ request: WorkerRequest, _ body: () -> Bool) {
    all.withLock { $0.append(Entry(request)) }
    if !body() { all.withLock { _ = $0.removeLast() } }
  }

  /// Notes that a worker configuration may have so many workers from now on; none if its host is
  /// gone.
  func note(_ request: WorkerRequest, isWithdrawn: Bool, of configuration: Int) {
    all.withLock { all in
      all[configuration]?.request = request
      all[configuration]?.isWithdrawn = isWithdrawn
    }
  }

  /// The place of a worker: `worker 3`, or `ssh pc`; safe to print.
  func name(of worker: WorkerID, _ watch: RunWatch) -> String {
    guard let configuration = watch.configuration(of: worker),
      let request = request(of: configuration)
    else { return "worker \(worker)" }
    return Self.placeName(request)
  }

  /// How many of the workers of each place execute something.
  func shares(
    _ executing: [Int: RunProgress.Execution],
    _ watch: RunWatch,
    of places: [Place]
  ) -> [WatchedRun.Share] {
    guard places.count > 1 else { return [] }
    var busy: [Int: Int] = [:]
    for execution in executing.values {
      guard let place = watch.configuration(of: execution.worker) else { continue }
      busy[place, default: 0] += 1
    }
    return places.map { place in
      WatchedRun.Share(place.state.name, busy[place.configuration] ?? 0, of: place.state.limit)
    }
  }

  /// The command, without the name of the worker program at its end.
  static func placeName(_ request: WorkerRequest) -> String {
    let words = Printable.text(request.command).split(separator: " ")
    let kept =
      words.count > 1 && words.last?.hasSuffix("worker") == true ? words.dropLast() : words[...]
    return String(kept.joined(separator: " ").prefix(width))
  }
}

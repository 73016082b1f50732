import PoolModel
import PoolReports

/// The names of the places where workers are: the standard ones have numbers only, others are
/// called by the command that has started them.
struct WorkerPlaces: Sendable {
  /// The most characters of a name.
  private static let width = 30

  private let names: [String]

  /// The places of the user's own workers, in the order of the options.
  init(_ workers: [WorkerRequest]) {
    names = workers.map { Self.name(of: $0.command) }
  }

  /// Number of places.
  var count: Int { names.count }

  /// The place of a worker: `worker 3`, or `ssh pc`; safe to print.
  func name(of worker: WorkerID, _ watch: RunWatch) -> String {
    guard let place = watch.configuration(of: worker), place < names.count else {
      return "worker \(worker)"
    }
    return names[place]
  }

  /// The places as they are now, with those names.
  func states(in control: RunControl) -> [PlaceState] { control.placeStates(named: names) }

  /// How many of the workers of each place execute something.
  func shares(
    _ executing: [Int: RunProgress.Execution],
    _ watch: RunWatch,
    of states: [PlaceState]
  ) -> [WatchedRun.Share] {
    guard names.count > 1 else { return [] }
    var busy = [Int](repeating: 0, count: names.count)
    for execution in executing.values {
      guard let place = watch.configuration(of: execution.worker), place < busy.count else {
        continue
      }
      busy[place] += 1
    }
    return names.indices.map { WatchedRun.Share(names[$0], busy[$0], of: states[$0].limit) }
  }

  /// The command, without the name of the worker program at its end.
  private static func name(of command: [UInt8]) -> String {
    let words = Printable.text(command).split(separator: " ")
    let kept =
      words.count > 1 && words.last?.hasSuffix("worker") == true ? words.dropLast() : words[...]
    return String(kept.joined(separator: " ").prefix(width))
  }
}

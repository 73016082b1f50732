import PoolCore
import PoolModel

/// The numbers of a ``PoolFleet``'s workers, by their state, at one moment.
///
/// Workers for blocks, which every fleet has in this process, do not count.
public struct PoolFleetState: Hashable, Sendable {
  /// The workers of one ``PoolWorkerConfiguration``.
  public struct Configuration: Hashable, Sendable {
    /// Maximum number of workers alive at once.
    public let count: Int
    /// Workers that were started and have not greeted yet.
    public let starting: Int
    /// Workers without an operation.
    public let idle: Int
    /// Workers with an operation, which executes or will execute next.
    public let busy: Int
    /// Workers that get no more operations, and whose processes have not ended.
    public let ending: Int
    /// Whether no more of them are started, because too many died without having finished an
    /// operation; adding operations makes the pool try again.
    public let isGivenUp: Bool
    /// The last death before they were given up; nil while they are not.
    public let lastDeath: PoolWorkerDeath?

    /// Workers whose processes live.
    public var alive: Int { starting + idle + busy + ending }
  }

  /// The worker configurations, in the fleet's order.
  public let configurations: [Configuration]

  /// Workers whose processes live.
  public var alive: Int { configurations.reduce(0) { $0 + $1.alive } }

  /// Workers with an operation.
  public var busy: Int { configurations.reduce(0) { $0 + $1.busy } }
}

extension PoolFleetState: CustomStringConvertible {
  /// A line such as `4 workers, 3 of them busy; no more of configuration 0 are started: worker 3
  /// (pid 712) exited with code 1`.
  public var description: String {
    let givenUp = configurations.enumerated().filter(\.element.isGivenUp).map { index, workers in
      "; no more of configuration \(index) are started"
        + (workers.lastDeath.map { ": \($0)" } ?? "")
    }
    return "\(Plural.of(alive, "worker")), \(busy) of them busy" + givenUp.joined()
  }
}

extension PoolFleetState.Configuration {
  init(_ census: WorkerCensus, of count: Int, _ giveUp: FleetStates.GiveUp?) {
    self.count = count
    starting = census.starting
    idle = census.idle
    busy = census.busy
    ending = census.ending
    isGivenUp = giveUp != nil
    lastDeath = giveUp?.lastDeath
  }
}

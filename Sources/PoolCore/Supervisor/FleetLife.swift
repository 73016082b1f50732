import PoolModel

/// The workers of a fleet, as the supervisor needs to know them.
struct FleetLife {
  /// Its worker configurations, in the order in which they were declared.
  var configurations: [ConfigurationID] = []
  var state = State.open(hasGivenUp: false)

  enum State {
    /// Workers are started; some of its worker configurations may have been given up.
    case open(hasGivenUp: Bool)
    /// No more workers are started.
    case closing
    /// It has no workers any longer; some of its queues may remain.
    case gone
  }

  var isOpen: Bool { if case .open = state { true } else { false } }
  var isGone: Bool { if case .gone = state { true } else { false } }
}

/// The demand for workers of one configuration.
enum WorkerDemand: Equatable {
  /// The kinds that they serve are unknown; `unannounced` ready operations have a kind that no worker
  /// has announced.
  case ofUnknownKinds(unannounced: Int)
  case ofKnownKinds(Counts)

  struct Counts: Equatable {
    /// Ready operations that its workers could be given.
    var ready = 0
    /// Suspects, which need workers that have executed nothing.
    var suspects = 0
    /// Number of workers without an operation.
    var idle = 0
    /// Number of idle workers that have executed nothing yet.
    var fresh = 0
    /// How many operations of the fleet's queues workers may have at once.
    var width = 0
  }
}

/// How many workers that have executed nothing yet can be expected of a configuration.
struct FreshSupply {
  let configuration: ConfigurationID
  /// Whether the fleet is closed.
  var isClosing: Bool
  /// Whether there will be none, so that any worker must do.
  var acceptsAny: Bool
  /// Number of workers that will come without others having to end; `Int.max` if more can be
  /// started.
  var coming: Int
}

import PoolModel

/// The workers of a fleet, as the supervisor needs to know them.
struct FleetLife {
  /// Its worker configurations, in the order in which they were declared.
  var configurations: [ConfigurationID] = []
  /// Whether some of its worker configurations were given up.
  var hasGivenUp = false
  /// Whether no more workers are started.
  var isClosing = false
  /// Whether it was closed and has no workers any longer; some of its queues may remain.
  var isGone = false
}

/// The demand for workers of one configuration.
struct WorkerDemand {
  /// Whether the kinds that they serve are known.
  var isKnown: Bool
  /// Ready operations whose kind no worker has announced.
  var unclaimed = 0
  /// Ready operations that its workers could be given.
  var ready = 0
  /// Those in quarantine, which need workers that have executed nothing.
  var quarantined = 0
  /// Number of workers without an operation.
  var idle = 0
  /// Number of idle workers that have executed nothing yet.
  var fresh = 0
  /// How many operations of the fleet's queues workers may have at once.
  var width = 0
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

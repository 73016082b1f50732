import PoolModel

/// A set of workers, as far as their lives go.
struct FleetLife {
  /// Its worker configurations, in the order in which they were declared.
  var configurations: [ConfigurationID] = []
  /// Whether some of its worker configurations were given up.
  var hasGivenUp = false
  /// No worker is started any more.
  var isClosing = false
  /// It was closed and has no workers any more; some of its queues may be left.
  var isGone = false
}

/// What a worker configuration's workers are needed for.
struct WorkerDemand {
  /// What they serve is known.
  var isKnown: Bool
  /// Ready operations whose kind no worker has announced.
  var unclaimed = 0
  /// Ready operations that they could be given.
  var ready = 0
  /// Those in quarantine, which need workers that have executed nothing yet.
  var quarantined = 0
  /// Workers that have nothing to do.
  var idle = 0
  /// Of these, the ones that have executed nothing yet.
  var fresh = 0
  /// How many operations of the fleet's queues may be with workers at once.
  var width = 0
}

/// What workers that have executed nothing yet a worker configuration can be expected to have.
struct FreshSupply {
  let configuration: ConfigurationID
  /// The fleet is closed.
  var isClosing: Bool
  /// There will be none: any worker must do.
  var acceptsAny: Bool
  /// How many will come without others having to go; `Int.max` where more can be started.
  var coming: Int
}

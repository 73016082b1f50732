import PoolModel

/// The demand for workers of one configuration.
enum WorkerDemand: Equatable {
  /// The kinds that they serve are unknown; `unannounced` ready operations have a kind that no
  /// worker has announced.
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

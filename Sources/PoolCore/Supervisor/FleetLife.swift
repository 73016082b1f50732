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

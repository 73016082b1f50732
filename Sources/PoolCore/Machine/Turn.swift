import PoolModel

/// What the machines are given with each event: the time, and where to put what follows.
struct Turn {
  var now = Instant.zero
  /// What the shell must do, in order.
  var effects: [Effect] = []
}

/// Where a worker executes, as far as that is proved.
package enum WorkerPlace: Hashable, Sendable {
  /// In threads of the coordinator's own process.
  case thisProcess
  /// In a process of this machine, which `/proc` shows.
  case thisMachine
  /// In a process of this machine, of which nothing can be seen: there is no `/proc`.
  case unseen
  /// Perhaps on another machine: a command of the user's starts it.
  case unproved

  /// Whether a worker there is certainly on this machine, given whether it is a process that was
  /// started here, or below one.
  package func isNear(ifOwnProcess isOwnProcess: Bool) -> Bool {
    switch self {
    case .thisProcess, .unseen: true
    case .thisMachine: isOwnProcess
    case .unproved: false
    }
  }
}

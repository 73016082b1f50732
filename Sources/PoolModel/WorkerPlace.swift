/// Where a worker executes, as far as that is proved.
package enum WorkerPlace: Hashable, Sendable {
  /// In threads of the coordinator's own process.
  case thisProcess
  /// In a process of this machine, which `/proc` shows.
  case thisMachine
  /// Perhaps on another machine: a command of the user's starts it.
  case unproved
}

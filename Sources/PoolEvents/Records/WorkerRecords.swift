package import PoolModel

/// A worker has greeted.
package struct WorkerGreeted: Hashable, Sendable {
  package var worker: WorkerID
  /// Its process.
  package var process: Int32?
  /// The position of its worker configuration, from 0.
  package var configuration: Int
  /// How the user named it: by the command that started it; nil for opool's own workers.
  package var place: String?
  /// What its machine is called, if that is not certainly the run's own.
  package var host: String?

  package init(
    worker: WorkerID,
    process: Int32?,
    configuration: Int,
    place: String? = nil,
    host: String? = nil
  ) {
    (self.worker, self.process, self.configuration) = (worker, process, configuration)
    (self.place, self.host) = (place, host)
  }
}

/// A worker is gone, or could not be started.
package struct WorkerEnded: Hashable, Sendable {
  package var worker: WorkerID
  /// Its process; nil if it could not be started.
  package var process: Int32?
  /// In which way it ended, in a word, such as `exit`.
  package var manner: String
  /// Its exit status; nil if it could not be started.
  package var status: PoolExitStatus?
  /// What it did, or what was done to it, for people.
  package var message: String

  package init(
    worker: WorkerID,
    process: Int32?,
    manner: String,
    status: PoolExitStatus?,
    message: String
  ) {
    (self.worker, self.process) = (worker, process)
    (self.manner, self.status, self.message) = (manner, status, message)
  }
}

// The values that frames carry. They hold plain values only, so that both sides, and the tests,
// can make and compare them; the coding is in the files beside this one.

package import PoolModel

/// What a worker may be asked for beyond the minimal profile; asked by name, never by version.
package enum Capability: String, Hashable, Sendable, CaseIterable {
  /// It accepts operations beyond the one it executes, and executes them in order.
  case prefetch
  /// It gives back held operations on `recall`.
  case recall
  /// It stops an executing operation on `cancel`, by the teardown sequence that the message holds.
  case cancel
  /// It takes each step of that teardown sequence by itself, and outlives it.
  case teardown
  /// It answers `ping` while it executes.
  case ping
  /// It ends on `drain` when it has finished what it holds.
  case drain
  /// It leaves large outputs in open files of its own until they are taken; local workers only.
  case files
  /// It hands its operations' inputs over, also those that lie in files of this machine.
  case inputs
  /// It keeps what it has not sent yet in memory that it is given, for the case that it dies.
  case outbox
}

/// From the coordinator to a worker.
package enum CoordinatorMessage: Hashable, Sendable {
  case welcome(Welcome)
  case execute(Execute)
  case cancel(DispatchReference, PoolTeardownSequence)
  case recall(DispatchReference)
  /// The files that an answer named were copied and may be closed.
  case release(DispatchReference)
  case ping(UInt64)
  case drain
  /// A type that this version does not know.
  case unknown(String)
}

/// From a worker to the coordinator.
package enum WorkerMessage: Hashable, Sendable {
  case hello(Hello)
  /// The operation executes; a second one adds the process and its group once they are known.
  case executing(DispatchReference, ProcessGroup?)
  case progress(DispatchReference, Progress)
  case log(DispatchReference, Log)
  case output(DispatchReference, OutputChunk)
  case finished(DispatchReference, Answer)
  /// The operation stopped because it was asked to; the string names the step that worked.
  case cancelled(DispatchReference, Answer, step: String?)
  case returned(DispatchReference)
  case pong(UInt64)
  /// A type that this version does not know; of a long one the beginning.
  case unknown(String)
}

/// The worker's first message.
package struct Hello: Hashable, Sendable {
  /// How many kinds a worker may serve: what it says is kept as long as its fleet.
  package static let kindLimit = 4_096

  /// Protocol versions that it speaks.
  package var versions: [Int]
  package var pid: Int32
  /// Kinds of operation that it serves.
  package var kinds: [String]
  /// How many operations it executes at once.
  package var slots: Int
  /// Capabilities by name; names that are not known here are dropped.
  package var capabilities: Set<Capability>

  package init(
    versions: [Int] = [1],
    pid: Int32,
    kinds: [String],
    slots: Int = 1,
    capabilities: Set<Capability> = []
  ) {
    self.versions = versions
    self.pid = pid
    self.kinds = kinds
    self.slots = slots
    self.capabilities = capabilities
  }
}

/// The coordinator's answer to a `hello`.
package struct Welcome: Hashable, Sendable {
  /// The version that holds from here on.
  package var version: Int
  package var worker: WorkerID
  /// The largest frame body that either side may send, in bytes.
  package var frameLimit: Int
  /// Whether the coordinator can open the worker's files, so that it may leave large outputs there.
  package var acceptsFiles: Bool
  /// Memory in which the worker may keep what it has not sent yet.
  package var outbox: OutboxPlace?

  package init(
    version: Int = 1,
    worker: WorkerID,
    frameLimit: Int = Frame.defaultLimit,
    acceptsFiles: Bool = false,
    outbox: OutboxPlace? = nil
  ) {
    self.version = version
    self.worker = worker
    self.frameLimit = frameLimit
    self.acceptsFiles = acceptsFiles
    self.outbox = outbox
  }
}

/// Where a worker finds the memory for its outbox: an open file of the coordinator's.
package struct OutboxPlace: Hashable, Sendable {
  package var pid: Int32
  package var descriptor: Int32
  /// The size of all of it.
  package var bytes: Int

  package init(pid: Int32, descriptor: Int32, bytes: Int) {
    self.pid = pid
    self.descriptor = descriptor
    self.bytes = bytes
  }
}

/// The process that executes an operation, where that is not the worker itself.
package struct ProcessGroup: Hashable, Sendable {
  package var pid: Int32
  package var group: Int32

  package init(pid: Int32, group: Int32) {
    self.pid = pid
    self.group = group
  }
}

/// How far an executing operation has come.
package struct Progress: Hashable, Sendable {
  package var completed: Int64
  package var total: Int64

  package init(completed: Int64, total: Int64) {
    self.completed = completed
    self.total = total
  }
}

/// A line for people.
package struct Log: Hashable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}

/// A piece of an executing operation's output; only from workers without `files`.
package struct OutputChunk: Hashable, Sendable {
  package var isError: Bool
  package var bytes: [UInt8]

  package init(isError: Bool, bytes: [UInt8]) {
    self.isError = isError
    self.bytes = bytes
  }
}

// The values that frames carry. They hold plain values only, so that both sides, and the tests,
// can make and compare them; the coding is in the files beside this one.

package import PoolModel

/// What a worker may be asked for beyond the minimal profile; asked by name, never by version.
package enum Capability: String, Hashable, Sendable, CaseIterable {
  /// It accepts operations beyond the one it executes, and executes them in order.
  case hold
  /// It gives back held operations on `recall`.
  case recall
  /// It stops an executing operation on `cancel`, by the ladder that the message holds.
  case cancel
  /// It answers `ping` while it executes.
  case ping
  /// It ends on `drain` when it has finished what it holds.
  case drain
  /// It leaves large outputs in open files of its own until they are taken; local workers only.
  case files
  /// It hands its operations' inputs over, also those that lie in files of this machine.
  case inputs
}

/// From the coordinator to a worker.
package enum CoordinatorMessage: Hashable, Sendable {
  case welcome(Welcome)
  case execute(Execute)
  case cancel(DispatchReference, PoolTerminationLadder)
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
  /// The operation stopped because it was asked to; the string names the rung that worked.
  case cancelled(DispatchReference, Answer, rung: String?)
  case returned(DispatchReference)
  case pong(UInt64)
  /// A type that this version does not know.
  case unknown(String)
}

/// The worker's first message.
package struct Hello: Hashable, Sendable {
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

  package init(
    version: Int = 1,
    worker: WorkerID,
    frameLimit: Int = Frame.defaultLimit,
    acceptsFiles: Bool = false
  ) {
    self.version = version
    self.worker = worker
    self.frameLimit = frameLimit
    self.acceptsFiles = acceptsFiles
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

/// The one answer to an `execute`.
///
/// What most answers lack is kept behind one reference, because answers are copied on the hot
/// path of both sides.
package struct Answer: Hashable, Sendable {
  /// JSON, checked; nil where there is none, or on failure.
  package let result: [UInt8]?
  private let rest: Rest?

  private final class Rest: Sendable {
    let failure: Failure?
    let usage: PoolResourceUsage?
    let standardOutput: OutputReference?
    let standardError: OutputReference?

    init(
      _ failure: Failure?,
      _ usage: PoolResourceUsage?,
      _ standardOutput: OutputReference?,
      _ standardError: OutputReference?
    ) {
      self.failure = failure
      self.usage = usage
      self.standardOutput = standardOutput
      self.standardError = standardError
    }
  }

  package init(
    result: [UInt8]? = nil,
    failure: Failure? = nil,
    usage: PoolResourceUsage? = nil,
    standardOutput: OutputReference? = nil,
    standardError: OutputReference? = nil
  ) {
    self.result = result
    let isPlain =
      failure == nil && usage == nil && standardOutput == nil && standardError == nil
    rest = isPlain ? nil : Rest(failure, usage, standardOutput, standardError)
  }

  /// Whether there is a result and nothing else.
  package var isPlain: Bool { rest == nil }

  /// Nil on success.
  package var failure: Failure? { rest?.failure }
  package var usage: PoolResourceUsage? { rest?.usage }
  package var standardOutput: OutputReference? { rest?.standardOutput }
  package var standardError: OutputReference? { rest?.standardError }

  package static func == (left: Self, right: Self) -> Bool {
    left.result == right.result && left.failure == right.failure && left.usage == right.usage
      && left.standardOutput == right.standardOutput && left.standardError == right.standardError
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(result)
    hasher.combine(failure)
    hasher.combine(usage)
    hasher.combine(standardOutput)
    hasher.combine(standardError)
  }
}

/// Why an execution failed.
package struct Failure: Hashable, Sendable {
  /// What kind of failure it is.
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The command exited with a code that is not 0.
    case exit
    /// A signal ended the command.
    case signal
    /// The operation threw an error.
    case error
    /// The command could not be started.
    case spawn
  }

  package var cause: Cause
  /// One sentence for people.
  package var message: String
  /// The type of a thrown error.
  package var type: String?
  /// The exit code or the signal.
  package var code: Int32?

  package init(cause: Cause, message: String, type: String? = nil, code: Int32? = nil) {
    self.cause = cause
    self.message = message
    self.type = type
    self.code = code
  }
}

/// Where the output of an execution is.
package enum OutputReference: Hashable, Sendable {
  /// Here: all of it.
  case inline([UInt8])
  /// In an open file of the worker, under this descriptor number, from its start.
  case file(descriptor: Int32, byteCount: Int64)

  /// How many bytes there are.
  package var byteCount: Int64 {
    switch self {
    case .inline(let bytes): Int64(bytes.count)
    case .file(_, let byteCount): byteCount
    }
  }
}

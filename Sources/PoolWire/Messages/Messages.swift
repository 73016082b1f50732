// The values in frames: plain values, so that both sides and the tests can create and compare them.
// Other files of this folder encode and decode them.

package import PoolModel

/// From the coordinator to a worker.
package enum CoordinatorMessage: Hashable, Sendable {
  case welcome(Welcome)
  case execute(Execute)
  case cancel(DispatchReference, PoolTeardownSequence)
  case recall(DispatchReference)
  /// The files that an answer named were copied and may be closed.
  case release(DispatchReference)
  /// Asks what an executing command has written so far.
  case tail(DispatchReference, TailRequest)
  case ping(UInt64)
  /// The answer to a `renew`.
  case renewed(UInt64)
  /// So many bytes more may be sent of what operations write and remark.
  case grant(Int)
  /// Stops the executing command, and begins none; the lease is of so many milliseconds meanwhile.
  case stop(lease: Int)
  /// Continues what was stopped.
  case proceed
  case drain
  /// A type that this version does not know.
  case unknown(String)
}

extension WorkerMessage {
  /// How many bytes of a window the message takes; 0 for one that needs none.
  package var windowCost: Int {
    switch self {
    case .output(_, let chunk): Self.leastCost + chunk.bytes.count
    case .log(_, let log): Self.leastCost + log.message.utf8.count
    case .progress: Self.leastCost
    default: 0
    }
  }

  /// About what surrounds the bytes in a frame.
  private static let leastCost = 128
}

/// From a worker to the coordinator.
package enum WorkerMessage: Hashable, Sendable {
  case hello(Hello)
  /// The operation executes; a second message adds the process and its group once they are known.
  case executing(DispatchReference, ProcessGroup?)
  case progress(DispatchReference, PoolProgress)
  case log(DispatchReference, Log)
  case output(DispatchReference, OutputChunk)
  /// The text that the operation printed is in the standard error, before its mark.
  case printed(DispatchReference)
  /// What an executing command has written so far, as it was asked.
  case written(DispatchReference, WrittenOutputs)
  case finished(DispatchReference, Answer)
  /// The operation stopped because it was asked to; the string names the step that ended it.
  case cancelled(DispatchReference, Answer, step: String?)
  case returned(DispatchReference)
  case pong(UInt64)
  /// Asks for the lease to be renewed: it then counts from when this was sent.
  case renew(UInt64)
  /// An unknown type; a long one is truncated.
  case unknown(String)
}

/// The worker's first message.
package struct Hello: Hashable, Sendable {
  /// Maximum number of kinds, which are stored as long as its fleet.
  package static let kindLimit = 4_096

  /// The supported protocol versions.
  package var versions: [Int]
  package var pid: Int32
  /// The name of its machine, for people; nil if it says none.
  package var host: String?
  /// The kinds that it serves.
  package var kinds: [String]
  /// Number of operations that it executes at once.
  package var slots: Int
  /// Capabilities by name; unknown names are dropped.
  package var capabilities: Set<Capability>
  /// Whether it is the greeting of a relay, which starts workers and carries their streams.
  package var isRelay: Bool

  package init(
    versions: [Int] = [1],
    pid: Int32,
    host: String? = nil,
    kinds: [String],
    slots: Int = 1,
    capabilities: Set<Capability> = [],
    isRelay: Bool = false
  ) {
    self.versions = versions
    self.pid = pid
    self.host = host
    self.kinds = kinds
    self.slots = slots
    self.capabilities = capabilities
    self.isRelay = isRelay
  }
}

/// The coordinator's answer to a `hello`.
package struct Welcome: Hashable, Sendable {
  /// The version of the rest of the conversation.
  package var version: Int
  package var worker: WorkerID
  /// The largest frame body that either side may send, in bytes.
  package var frameLimit: Int
  /// Whether the coordinator can open the worker's files, so that large outputs may stay there.
  package var acceptsFiles: Bool
  /// The memory in which the worker may keep unsent bytes.
  package var outbox: OutboxPlace?
  /// The largest attachment that either side may send; nil if attachments are not allowed.
  package var attachmentLimit: Int?
  /// A number from 1 that no other worker of the pool has at the same time; nil if there is none.
  package var slot: Int?
  /// The mark for the worker's standard error; nil if none is wanted.
  package var printMark: PrintMark?
  /// The coordinator's own output streams, if the worker has inherited them.
  package var streams: InheritedStreams?
  /// Milliseconds that outputs of processes which a command has left behind are waited for; nil for
  /// the worker's own choice.
  package var outputGrace: Int?
  /// Whether all that follows, in both directions, is in blocks with checksums.
  package var isSealed: Bool
  /// Milliseconds after which a worker whose `renew` is not answered has ended; nil for none.
  package var lease: Int?
  /// How many bytes may be sent, before more are granted, of what operations write and remark; nil
  /// for any number.
  package var window: Int?

  package init(
    version: Int = 1,
    worker: WorkerID,
    frameLimit: Int = Frame.defaultLimit,
    acceptsFiles: Bool = false,
    outbox: OutboxPlace? = nil,
    attachmentLimit: Int? = nil,
    slot: Int? = nil,
    printMark: PrintMark? = nil,
    streams: InheritedStreams? = nil,
    outputGrace: Int? = nil,
    isSealed: Bool = false,
    lease: Int? = nil,
    window: Int? = nil
  ) {
    self.version = version
    self.worker = worker
    self.frameLimit = frameLimit
    self.acceptsFiles = acceptsFiles
    self.outbox = outbox
    self.attachmentLimit = attachmentLimit
    self.slot = slot
    self.printMark = printMark
    self.streams = streams
    self.outputGrace = outputGrace
    self.isSealed = isSealed
    self.lease = lease
    self.window = window
  }
}

/// The place of the memory for a worker's outbox: an open file of the coordinator.
package struct OutboxPlace: Hashable, Sendable {
  package var pid: Int32
  package var descriptor: Int32
  /// The size of the memory.
  package var bytes: Int
  /// The number that must be in it; nil if it is certainly on the worker's machine.
  package var number: UInt64?

  package init(pid: Int32, descriptor: Int32, bytes: Int, number: UInt64? = nil) {
    self.pid = pid
    self.descriptor = descriptor
    self.bytes = bytes
    self.number = number
  }
}

/// The process that executes an operation, if it is not the worker.
package struct ProcessGroup: Hashable, Sendable {
  package var pid: Int32
  package var group: Int32

  package init(pid: Int32, group: Int32) {
    self.pid = pid
    self.group = group
  }
}

/// A line to print.
package struct Log: Hashable, Sendable {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}

/// A piece of an executing operation's output, if its outputs are live or its worker lacks `files`.
package struct OutputChunk: Hashable, Sendable {
  package var isError: Bool
  package var bytes: [UInt8]

  package init(isError: Bool, bytes: [UInt8]) {
    self.isError = isError
    self.bytes = bytes
  }
}

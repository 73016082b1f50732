import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker
@testable import PoolSystem

/// What the executor finds when it looks at its input between the beginning of an operation that it
/// has sent and the operation itself.
@Suite("Glances at the input")
struct GlanceTests {
  /// A worker's connection over pipes, about to begin one operation.
  private final class Conversation: Sendable {
    let connection: CoordinatorConnection
    let input: Descriptors.PipeEnds
    let output: Descriptors.PipeEnds
    let executed = Monitor(0)
    /// How the loop ended, once it has.
    let ending = Monitor<Result<Void, PoolWorkerError>?>(nil)

    init() throws {
      input = try Descriptors.pipe()
      output = try Descriptors.pipe()
      connection = CoordinatorConnection(StandardStreams(input: input.read, output: output.write))
      try connection.shared.withLock { shared in
        try shared.machine.accept(Welcome(worker: WorkerID(rawValue: 1)))
        try shared.machine.prefetch([.numbered(1)])
      }
    }

    deinit {
      for descriptor in [input.read, output.read, output.write] { Descriptors.close(descriptor) }
    }

    /// Works on a thread of its own, and waits until that has ended; false where it does not.
    func run() throws -> Bool {
      try SystemThread.start(name: "executor", mask: .full) { [self] in
        let kind = WorkerKind.raw("k") { [self] _, _ in
          executed.withLock { $0 += 1 }
          return Array("1".utf8)
        }
        let loop = WorkerLoop(kinds: ["k": kind], connection: connection)
        let result = Result { () throws(PoolWorkerError) in try loop.run() }
        ending.withLock { $0 = result }
        ending.broadcast()
      }.detach()
      return ending.wait(until: MonotonicClock.now + .seconds(600), while: { $0 == nil })
    }
  }

  /// No thread would read on while the executor waited for the end of the input.
  @Test("What makes no sense ends the worker, though its input goes on")
  func violation() async throws {
    try await Blocking.run {
      let conversation = try Conversation()
      defer { Descriptors.close(conversation.input.write) }
      try SystemIO.writeAll(conversation.input.write, [0, 0, 0, 2, 0x7D, 0x0A])
      #expect(try conversation.run())
      let failure = #expect(throws: PoolWorkerError.self) {
        try conversation.ending.withLock { $0 }?.get()
      }
      #expect(failure?.code == .protocolViolation)
      #expect(conversation.executed.withLock { $0 } == 0)
    }
  }

  @Test("The end of the input ends the worker before the operation")
  func end() async throws {
    try await Blocking.run {
      let conversation = try Conversation()
      Descriptors.close(conversation.input.write)
      #expect(try conversation.run())
      try conversation.ending.withLock { $0 }?.get()
      #expect(conversation.executed.withLock { $0 } == 0)
    }
  }
}

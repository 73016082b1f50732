import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker
@testable import PoolSystem

/// What a worker says, and when it is sent.
@Suite("A worker's output")
struct OutputTests {
  /// A connection over pipes, whose input is empty, and what came out of it.
  private final class Line {
    let connection: CoordinatorConnection
    let input: Descriptors.PipeEnds
    private var isInputOpen = true
    let pipe: Descriptors.PipeEnds
    private var decoder = FrameDecoder(preamble: .none)
    var answered: Answered?

    init(hasOutbox: Bool = true) throws {
      input = try Descriptors.pipe()
      pipe = try Descriptors.pipe()
      connection = CoordinatorConnection(StandardStreams(input: input.read, output: pipe.write))
      let outbox = hasOutbox ? Outbox(try SharedMemory(count: Outbox.size)) : nil
      try connection.shared.withLock { shared in
        try shared.machine.accept(Welcome(worker: WorkerID(rawValue: 1)))
        if let outbox { shared.output.use(outbox) }
      }
    }

    deinit {
      for end in [input.read, pipe.read, pipe.write] { Descriptors.close(end) }
      if isInputOpen { Descriptors.close(input.write) }
    }

    /// Begins operations of these numbers, all but the first of which are only prefetched; returns
    /// whether anything was sent.
    @discardableResult
    func begin(
      _ numbers: ClosedRange<UInt64>,
      startsProcess: Bool = false
    ) throws -> Bool {
      try connection.shared.withLock { try $0.machine.prefetch(numbers.map(Execute.numbered)) }
      return try next(startsProcess: startsProcess)
    }

    /// Begins the next operation, or none; returns whether anything was sent.
    @discardableResult
    func next(startsProcess: Bool = false, glances: Bool = false) throws -> Bool {
      _ = try step(startsProcess: startsProcess, glances: glances)
      return SystemIO.canRead(pipe.read)
    }

    func step(startsProcess: Bool = false, glances: Bool = false) throws -> WorkerMachine.Step {
      try connection.next(after: &answered, glances: glances) { _ in startsProcess }
    }

    /// The coordinator is gone.
    func endInput() {
      Descriptors.close(input.write, seenFrom: input.read)
      isInputOpen = false
    }

    func begin(_ number: UInt64) throws -> Bool { try begin(number...number) }

    /// The coordinator sends an operation.
    func send(_ number: UInt64) throws {
      var writer = JSONWriter()
      CoordinatorMessage.execute(.numbered(number)).encode(into: &writer)
      try SystemIO.writeAll(input.write, Array(writer.bytes))
    }

    func end(_ number: UInt64, _ result: [UInt8] = [0x31]) {
      answered = Answered(reference: .numbered(number), conclusion: .result(result))
    }

    /// The I/O thread takes over the reading.
    func takeOver() {
      connection.shared.withLock { shared in
        while shared.machine.look() != .read {}
      }
    }

    /// The messages that were sent by now.
    func sent() throws -> [WorkerMessage] {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { buffer.deallocate() }
      while SystemIO.canRead(pipe.read) {
        let count = try SystemIO.readWaiting(pipe.read, into: buffer)
        decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      var messages: [WorkerMessage] = []
      try decoder.takeWorkerMessages { messages.append($0) }
      return messages
    }
  }

  private func executing(_ number: UInt64) -> WorkerMessage { .executing(.numbered(number), nil) }

  private func finished(_ number: UInt64, _ result: [UInt8] = [0x31]) -> WorkerMessage {
    .finished(.numbered(number), Answer(result: result))
  }

  @Test("What would not be sent soon is sent at once", arguments: [true, false])
  func unattended(hasOutbox: Bool) throws {
    let line = try Line(hasOutbox: hasOutbox)
    if hasOutbox {
      #expect(try !line.begin(0), "the I/O thread looks soon")
      line.takeOver()
    }
    #expect(try line.begin(1))
    #expect(try line.sent() == (hasOutbox ? [executing(0), executing(1)] : [executing(1)]))
    line.end(1)
    #expect(try line.begin(2))
    #expect(line.answered == nil)
    #expect(try line.sent() == [finished(1), executing(2)])
  }

  @Test("What the I/O thread sends soon waits for it, and comes in order")
  func attended() throws {
    let line = try Line()
    // So many are prefetched that no time is looked at.
    #expect(try !line.begin(1...20))
    line.end(1)
    #expect(try !line.next())
    #expect(try line.sent().isEmpty)
    try line.connection.flush()
    #expect(try line.sent() == [executing(1), finished(1), executing(2)])
    line.end(2)
    #expect(try !line.next())
    #expect(try line.sent().isEmpty)
  }

  @Test("The last answer is sent with what waits, before the main thread reads")
  func last() throws {
    let line = try Line()
    #expect(try !line.begin(1))
    line.end(1)
    #expect(try line.next())
    #expect(line.answered == nil)
    #expect(try line.sent() == [executing(1), finished(1)])
  }

  @Test("The last answer is sent before the main thread ends, unless the input has ended")
  func end() throws {
    for isInputEnded in [false, true] {
      let line = try Line()
      _ = try line.begin(1)
      line.end(1)
      line.connection.shared.withLock { shared in
        if isInputEnded { _ = shared.machine.endInput() } else { shared.machine.drain() }
      }
      #expect(try line.next() == !isInputEnded)
    }
  }

  @Test("That a process is to be started is sent at once")
  func process() throws {
    let line = try Line()
    #expect(try line.begin(1...1, startsProcess: true))
    #expect(try line.sent() == [executing(1)])
    let group = ProcessGroup(pid: 7, group: 7)
    line.connection.announce(group, of: .numbered(1))
    #expect(try line.sent().isEmpty, "the I/O thread looks soon")
    line.takeOver()
    line.connection.announce(group, of: .numbered(1))
    #expect(try line.sent() == [.executing(.numbered(1), group)])
  }

  @Test("A process is told before the next message of its operation, and not after its answer")
  func processOfEndedOperation() throws {
    let line = try Line()
    let group = ProcessGroup(pid: 7, group: 7)
    #expect(try line.begin(1...2, startsProcess: true))
    line.connection.announce(group, of: .numbered(1))
    let log = WorkerMessage.log(.numbered(1), Log(message: "a line"))
    line.connection.report(log, of: .numbered(1))
    let told = WorkerMessage.executing(.numbered(1), group)
    #expect(try line.sent() == [executing(1), told, log])
    line.end(1)
    #expect(try line.next(startsProcess: true))
    line.connection.announce(group, of: .numbered(2))
    line.end(2)
    #expect(try line.next(startsProcess: true))
    #expect(try line.sent() == [finished(1), executing(2), finished(2)])
  }

  @Test(
    "What has come during a command begins together with its answer",
    arguments: [true, false]
  )
  func glance(glances: Bool) throws {
    let line = try Line()
    #expect(try line.begin(1...1, startsProcess: true))
    #expect(try line.sent() == [executing(1)])
    line.end(1)
    try line.send(2)
    #expect(try line.next(startsProcess: true, glances: glances))
    #expect(try line.sent() == (glances ? [finished(1), executing(2)] : [finished(1)]))
  }

  @Test("An input that has ended during a command ends the worker")
  func glanceAtEnd() throws {
    let line = try Line()
    _ = try line.begin(1...2, startsProcess: true)
    line.end(1)
    line.endInput()
    #expect(try line.step(glances: true) == .end(.init(isInputEnded: true)))
    #expect(try line.sent() == [executing(1)], "no process reads the rest")
  }

  @Test("Nothing follows an operation's answer")
  func reports() throws {
    let line = try Line()
    _ = try line.begin(1)
    let progress = WorkerMessage.progress(.numbered(1), PoolProgress(completed: 1, total: 2))
    line.connection.report(progress, of: .numbered(1))
    #expect(try line.sent() == [executing(1), progress])
    line.end(1)
    _ = try line.begin(2)
    line.connection.report(progress, of: .numbered(1))
    try line.connection.flush()
    #expect(try line.sent() == [finished(1), executing(2)])
  }

  @Test("An answer for which the outbox has no room is sent at once")
  func large() throws {
    let line = try Line()
    _ = try line.begin(1)
    let result = [UInt8](repeating: 0x31, count: Outbox.size + 1)
    line.end(1, result)
    #expect(try line.begin(2))
    #expect(try line.sent() == [executing(1), finished(1, result), executing(2)])
  }

  @Test("Each time something was sent, the delay begins anew")
  func delay() throws {
    let line = try Line()
    #expect(try !line.begin(1...40))
    // The eleventh is the first at which the clock is read, which starts the delay.
    for _ in 2...11 { #expect(try !line.next()) }
    try line.connection.flush()
    _ = try line.sent()
    let start = MonotonicClock.now
    while MonotonicClock.now - start < FlushPolicy.delay {}
    for _ in 12...14 { #expect(try !line.next(), "few have begun since then") }
    #expect(try line.sent().isEmpty)
  }

  @Test("A thread that writes holds up what is said, and neither reading nor a request to stop")
  func fullPipe() async throws {
    try await Blocking.run {
      let line = try Line()
      _ = try line.begin(1...3)
      let connection = line.connection
      let report = WorkerMessage.log(
        .numbered(1),
        Log(message: String(repeating: "x", count: 1 << 20))
      )
      let thread = try SystemThread.start(name: "writer", mask: .full) {
        connection.report(report, of: .numbered(1))
      }
      while !connection.shared.withLock({ $0.output.isWriting }) {
        SystemThread.yieldProcessor()
      }
      line.takeOver()
      let asked = Monitor(false)
      let handle = CancelHandle(ask: { _ in asked.withLock { $0 = true } }, kill: {})
      connection.register(handle, for: .numbered(1))
      var operations = [Execute.numbered(4)]
      try connection.prefetch(&operations)
      try connection.receive(.cancel(.numbered(1), .standard))
      #expect(asked.withLock { $0 })
      #expect(connection.isCancelled(DispatchNumber(rawValue: 1)))
      #expect(connection.shared.withLock { $0.output.isWriting }, "the pipe is still full")
      var messages: [WorkerMessage] = []
      while messages.count < 2 { messages += try line.sent() }
      thread.join()
      #expect(messages == [executing(1), report])
      try connection.receive(.recall(.numbered(4)))
      #expect(try line.sent() == [.returned(.numbered(4))])
    }
  }
}

import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationWorker
@testable import PoolSystem

/// What a worker says, and when it is sent.
@Suite("A worker's output")
struct FrameOutputTests {
  /// An output over a pipe, and what came out of it.
  private final class Line {
    let output: FrameOutput
    let pipe: Descriptors.PipeEnds
    private var decoder = FrameDecoder(preamble: .none)
    var answered: Answered?

    init(hasOutbox: Bool = true) throws {
      pipe = try Descriptors.pipe()
      output = FrameOutput(descriptor: pipe.write)
      guard hasOutbox else { return }
      let memory = try SharedMemory(count: Outbox.size)
      output.use(try #require(Outbox(memory)))
    }

    deinit {
      Descriptors.close(pipe.read)
      Descriptors.close(pipe.write)
    }

    /// Begins an operation, behind which so many are held, after the one that ended, if any did.
    func begin(_ number: UInt64, held: Int = 30) throws -> Bool {
      try output.begin(reference(number), after: &answered, startsProcess: false, held: held)
    }

    func end(_ number: UInt64, _ result: [UInt8] = [0x31]) {
      answered = Answered(reference: reference(number), conclusion: .result(result))
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

  private static func reference(_ number: UInt64) -> DispatchReference {
    DispatchReference(
      operation: OperationID(rawValue: number),
      dispatch: DispatchNumber(rawValue: number)
    )
  }

  private func reference(_ number: UInt64) -> DispatchReference { Self.reference(number) }

  private func finished(_ number: UInt64, _ result: [UInt8] = [0x31]) -> WorkerMessage {
    .finished(reference(number), Answer(result: result))
  }

  @Test("What nobody would send soon is sent at once", arguments: [true, false])
  func unattended(hasOutbox: Bool) throws {
    let line = try Line(hasOutbox: hasOutbox)
    if !hasOutbox { try line.output.flush(comesAgain: true) }
    #expect(try line.begin(1))
    #expect(try line.sent() == [.executing(reference(1), nil)])
    line.end(1)
    #expect(try line.begin(2))
    #expect(line.answered == nil)
    #expect(try line.sent() == [finished(1), .executing(reference(2), nil)])
  }

  @Test("What somebody sends soon waits for them, and comes in order")
  func attended() throws {
    let line = try Line()
    try line.output.flush(comesAgain: true)
    #expect(try !line.begin(1))
    line.end(1)
    #expect(try !line.begin(2))
    #expect(try line.sent().isEmpty)
    try line.output.flush(comesAgain: false)
    let expected: [WorkerMessage] = [
      .executing(reference(1), nil), finished(1), .executing(reference(2), nil),
    ]
    #expect(try line.sent() == expected)
    line.end(2)
    #expect(try line.begin(3), "nobody comes again")
    #expect(try line.sent().count == 2)
  }

  @Test("The last answer is sent with what waits")
  func last() throws {
    let line = try Line()
    try line.output.flush(comesAgain: true)
    #expect(try !line.begin(1))
    line.end(1)
    try line.output.flush(&line.answered)
    #expect(line.answered == nil)
    #expect(try line.sent() == [.executing(reference(1), nil), finished(1)])
  }

  @Test("Nothing follows an operation's answer")
  func reports() throws {
    let line = try Line()
    try line.output.flush(comesAgain: true)
    _ = try line.begin(1)
    let progress = Progress(completed: 1, total: 2)
    line.output.report(.progress(reference(1), progress), of: reference(1))
    #expect(
      try line.sent() == [.executing(reference(1), nil), .progress(reference(1), progress)]
    )
    line.end(1)
    _ = try line.begin(2)
    line.output.report(.progress(reference(1), progress), of: reference(1))
    try line.output.flush(comesAgain: true)
    #expect(try line.sent() == [finished(1), .executing(reference(2), nil)])
  }

  @Test("An answer for which the outbox has no room is sent at once")
  func large() throws {
    let line = try Line()
    try line.output.flush(comesAgain: true)
    _ = try line.begin(1)
    let result = [UInt8](repeating: 0x31, count: Outbox.size + 1)
    line.end(1, result)
    #expect(try line.begin(2))
    let expected: [WorkerMessage] = [
      .executing(reference(1), nil), finished(1, result), .executing(reference(2), nil),
    ]
    #expect(try line.sent() == expected)
  }

  @Test("Each time something was sent, patience begins anew")
  func flushPolicy() throws {
    let line = try Line()
    try line.output.flush(comesAgain: true)
    // Enough have begun that the clock is looked at, which would start the patience.
    for number in 1...11 as ClosedRange<UInt64> { #expect(try !line.begin(number, held: 30)) }
    try line.output.flush(comesAgain: true)
    let start = MonotonicClock.now
    while MonotonicClock.now - start < FlushPolicy.patience {}
    #expect(try !line.begin(12, held: 0), "it is the first since then")
  }
}

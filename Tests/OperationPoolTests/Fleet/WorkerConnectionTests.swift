import PoolContents
import PoolCore
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationPool

/// Contract: one conversation over pipes that do not block, whatever the other side does.
@Suite("Worker connections")
struct WorkerConnectionTests {
  /// A connection, and the worker's ends of its pipes.
  private final class Line {
    let connection: WorkerConnection
    let input: Int32
    private(set) var output: Int32
    private let error: Int32
    /// The end that the connection reads.
    private let heard: Int32

    /// Without a number, its process is none that there is.
    init(in place: WorkerPlace = .unproved, pid: Int32 = .max, dividesText: Bool = false) throws {
      let pipes = try (0..<3).map { _ in try Descriptors.pipe() }
      for end in [pipes[0].write, pipes[1].read, pipes[2].read] {
        try Descriptors.setNonBlocking(end)
      }
      (input, output, error) = (pipes[0].read, pipes[1].write, pipes[2].write)
      heard = pipes[1].read
      try Descriptors.setNonBlocking(input)
      let process = SpawnedProcess(pid, [pipes[0].write, pipes[1].read, pipes[2].read])
      let id = WorkerID(rawValue: 1)
      let configuration = ConfigurationID(rawValue: 0)
      connection = WorkerConnection(
        id,
        configuration,
        process,
        in: place,
        dividesText: dividesText
      )
      try SystemIO.writeAll(output, Frame.magic)
    }

    deinit {
      for descriptor in [input, output, error] where descriptor >= 0 {
        Descriptors.close(descriptor)
      }
    }

    /// Notes a greeting of the process that was started, or of another one.
    func greet(_ capabilities: Set<Capability> = [], pid: Int32? = nil) {
      let pid = pid ?? connection.handle.pid
      connection.note(Hello(pid: pid, kinds: [], capabilities: capabilities))
    }

    func say(_ messages: WorkerMessage...) throws {
      var writer = JSONWriter()
      for message in messages { message.encode(into: &writer) }
      try SystemIO.writeAll(output, writer.bytes)
    }

    /// The memory that the connection's `welcome` offers.
    func offeredOutbox() throws -> OutboxPlace? {
      connection.flush()
      var decoder = FrameDecoder(preamble: .none)
      try withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 16) { buffer in
        guard case .bytes(let count) = try SystemIO.read(input, into: buffer) else { return }
        decoder.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      let message = try decoder.next { body throws(Violation) in
        try CoordinatorMessage(scanning: body)
      }
      guard case .welcome(let welcome) = message else { return nil }
      return welcome.outbox
    }

    func hangUp() {
      Descriptors.close(output, seenFrom: heard)
      output = -1
    }

    /// What the connection hears with one reading.
    func hear() -> ([WorkerMessage], SystemIO.Transfer) {
      var messages: [WorkerMessage] = []
      let transfer = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
        connection.receive(with: buffer) { messages.append($0) }
      }
      return (messages, transfer)
    }

    /// Writes text to the worker's standard error, which the connection reads at once.
    func complain(_ text: [UInt8]) throws {
      try SystemIO.writeAll(error, text)
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
        while case .bytes = connection.receiveError(with: buffer) {}
      }
    }

    /// How many bytes the worker finds in its input.
    func read() throws -> Int {
      var sum = 0
      try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
        while case .bytes(let count) = try SystemIO.read(input, into: buffer) { sum += count }
      }
      return sum
    }
  }

  private static let first = reference(1)
  private static let second = reference(2)

  private static func reference(_ number: UInt64) -> DispatchReference {
    DispatchReference(
      operation: OperationID(index: Int(number), generation: 0),
      dispatch: DispatchNumber(rawValue: number)
    )
  }

  @Test(
    "a command that was not announced is looked for only where there may be one, and once",
    arguments: [(0, false), (1, false), (1, true), (2, true)]
  )
  func unannounced(_ count: Int, _ isFirstAnnounced: Bool) throws {
    let line = try Line(in: .thisMachine)
    line.greet([.cancel, .teardown])
    for number in 0..<count {
      let reference = Self.reference(UInt64(number + 1))
      line.connection.send(
        .execute(Execute(reference: reference, attempt: 1, kind: "k", payload: []))
      )
    }
    if isFirstAnnounced { line.connection.group = 77 }
    let orphans = try #require(line.connection.takeOrphans(.signaled(9)))
    #expect(orphans.hasUnannounced == (count > (isFirstAnnounced ? 1 : 0)))
    #expect(line.connection.takeOrphans(.signaled(9)) == nil)
  }

  @Test("messages are heard in order, and silence is no end")
  func order() throws {
    let line = try Line()
    try line.say(.pong(1), .pong(2))
    #expect(line.hear().0 == [.pong(1), .pong(2)])
    #expect(line.hear().1 == .wouldBlock)
    line.hangUp()
    #expect(line.hear().1 == .endOfFile)
    #expect(line.connection.violation == nil)
  }

  @Test("a frame that the end cuts off is a violation, and what came before it counts")
  func truncated() throws {
    let line = try Line()
    try line.say(.pong(1))
    try SystemIO.writeAll(line.output, [0, 0])
    line.hangUp()
    #expect(line.hear().0 == [.pong(1)])
    #expect(line.hear().1 == .endOfFile)
    #expect(line.connection.violation == .truncated)
    let death = line.connection.death(.signaled(11))
    #expect(death.description.contains("middle of a frame, and was ended by signal 11"))
  }

  /// A worker that dies while it writes leaves the beginning of a frame in the pipe.
  @Test(
    "what a dead worker had not sent is taken from its outbox, from the byte on that was missing",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func outbox() throws {
    let line = try Line(in: .thisMachine)
    line.greet([.outbox])
    line.connection.welcome(slot: 1, as: nil)
    let place = try #require(try line.offeredOutbox())
    let memory = try SharedMemory(place.descriptor, of: place.pid, count: place.bytes)
    let outbox = try #require(Outbox(memory))
    var writer = JSONWriter()
    for number in UInt64(1)...3 { WorkerMessage.pong(number).encode(into: &writer) }
    let kept = writer.bytes.withUnsafeBytes { outbox.keep($0, at: UInt64(Frame.magic.count)) }
    #expect(kept)
    let whole = writer.bytes.count / 3
    try SystemIO.writeAll(line.output, Array(writer.bytes[..<(whole + 5)]))
    line.hangUp()
    #expect(line.hear().0 == [.pong(1)])
    // Until a process that was just being started has let go of it, the pipe has no end.
    var heard = line.hear()
    while heard.1 == .wouldBlock { heard = line.hear() }
    #expect(heard.0 == [.pong(2), .pong(3)])
    #expect(heard.1 == .endOfFile)
    #expect(line.connection.violation == nil)
    line.connection.receiveUnsent { Issue.record("\($0) was heard twice") }
  }

  @Test("a frame that breaks off because its worker was killed is not why it was")
  func killedWithinFrame() throws {
    let line = try Line()
    try SystemIO.writeAll(line.output, [0, 0])
    line.connection.end(by: 9, because: .silence)
    line.hangUp()
    while line.hear().1 != .endOfFile {}
    #expect(line.connection.violation == nil)
    #expect(line.connection.death(.signaled(9)).manner == .silence)
  }

  @Test("after a violation everything is read, and nothing is heard")
  func violation() throws {
    let line = try Line()
    try SystemIO.writeAll(line.output, [255, 255, 255, 255])
    #expect(line.hear().0.isEmpty)
    #expect(line.connection.violation == .oversized(0xFFFF_FFFF))
    try line.say(.pong(1))
    let (messages, transfer) = line.hear()
    #expect(messages.isEmpty && transfer != .wouldBlock)
  }

  @Test("what a worker does not read waits here, and no byte of it is lost")
  func partialWrites() throws {
    let line = try Line()
    let payload = Array("\"\(String(repeating: "x", count: 300_000))\"".utf8)
    let execute = Execute(reference: Self.first, attempt: 1, kind: "k", payload: payload)
    var writer = JSONWriter()
    CoordinatorMessage.execute(execute).encode(into: &writer)
    line.connection.send(.execute(execute))
    line.connection.retire()
    var count = 0
    while line.connection.hasPending {
      line.connection.flush()
      count += try line.read()
    }
    #expect(count == writer.bytes.count)
    #expect(!line.connection.outbound.isOpen, "the input is closed after the last byte")
  }

  @Test(
    "the pipes of the first eight workers are widened for a large value, and others are not",
    arguments: [(8, true), (9, false)]
  )
  func wide(slot: Int, isWide: Bool) throws {
    for isSent in [true, false] {
      let line = try Line()
      line.greet([.attachments])
      line.connection.welcome(slot: slot, as: nil)
      let room = SystemIO.safeRoom(of: line.input)
      let large = [UInt8](repeating: 0, count: OutboundPipe.large)
      if isSent {
        let execute = Execute(reference: Self.first, attempt: 1, kind: "k", payload: large)
        line.connection.send(.execute(execute))
      } else {
        try Descriptors.setNonBlocking(line.output)
        try SystemIO.writeAll(line.output, [0x80, 8, 0, 0])
        var count = 0
        while count <= OutboundPipe.large,
          case .bytes(let written) = try large.withUnsafeBytes({
            try SystemIO.write(line.output, $0)
          })
        {
          count += written
          _ = line.hear()
        }
      }
      for pipe in [line.input, line.output] {
        #expect(SystemIO.safeRoom(of: pipe) == (isWide ? 1 << 20 - 8_192 : room))
      }
    }
  }

  @Test("outputs belong to the operation that executes, not to one that is answered meanwhile")
  func outputs() throws {
    let line = try Line()
    let connection = line.connection
    connection.executing = Self.first
    connection.collect(OutputChunk(isError: false, bytes: [1, 2]), isKept: true)
    connection.collect(OutputChunk(isError: true, bytes: [3]), isKept: false)
    let held = connection.report(Self.second, Answer(), step: nil)
    #expect(held.standardOutput.isEmpty && held.standardError.isEmpty)
    let executed = connection.report(Self.first, Answer(), step: nil)
    #expect(executed.standardOutput.prefix == [1, 2])
    #expect(executed.standardError.prefix == [3])
    let again = connection.report(Self.first, Answer(), step: nil)
    #expect(again.standardOutput.isEmpty)
  }

  @Test(
    "a file that is shorter than the answer says is a violation, one that is longer is not",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func shortFile() throws {
    let file = try TemporaryFile.open(holding: Array(repeating: 7, count: 100))
    defer { Descriptors.close(file) }
    for (announced, isViolation) in [(99, false), (100, false), (101, true)] as [(Int64, Bool)] {
      let line = try Line(in: .thisMachine, pid: CurrentProcess.identifier)
      line.greet()
      let output = OutputReference.file(descriptor: file, byteCount: announced)
      try line.say(.finished(Self.first, Answer(standardError: output)), .pong(1))
      let heard = line.hear().0
      guard case .finished(let reference, let answer) = heard.first else {
        Issue.record("no answer was heard")
        return
      }
      let report = line.connection.report(reference, answer, step: nil)
      #expect(report.standardError.prefix.count == (isViolation ? 0 : Int(announced)))
      #expect(line.connection.hasLied == isViolation)
      #expect(
        line.connection.violation == (isViolation ? .shortFile(announced: 101, found: 100) : nil)
      )
    }
  }

  @Test(
    "an output that cannot be fetched is a failure, beside one that there is already",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func lostOutput() throws {
    let line = try Line(in: .thisMachine, pid: CurrentProcess.identifier)
    line.greet()
    let file = OutputReference.file(descriptor: Int32.max, byteCount: 20_000)
    let lost = line.connection.report(Self.first, Answer(standardOutput: file), step: nil)
    let loss = try #require(lost.answer?.failure)
    #expect(loss.cause == .error)
    #expect(loss.message.hasPrefix("its output is lost: open a file of process "))
    let failure = Failure(cause: .exit, message: "exit code 3", code: 3)
    let answer = Answer(failure: failure, standardError: file)
    let failed = line.connection.report(Self.first, answer, step: nil)
    let both = try #require(failed.answer?.failure)
    #expect(both.cause == .exit && both.code == 3)
    #expect(both.message.hasPrefix("exit code 3; its error output is lost: "))
    #expect(!line.connection.hasLied)
  }

  @Test(
    "an output that cannot be fetched because its worker is gone is lost with it",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func lostWithWorker() throws {
    var launcher = CommandLauncher()
    let words = ["sleep", "1000"].map { Array($0.utf8) }
    let child = try launcher.start(CommandDescription(arguments: words, environment: .current))
    let line = try Line(in: .thisMachine, pid: child.identifier)
    line.greet()
    child.send(.kill)
    child.waitForEnd()
    let file = OutputReference.file(descriptor: 1, byteCount: 20_000)
    let report = line.connection.report(Self.first, Answer(standardOutput: file), step: nil)
    #expect(report.isLost && report.answer == nil)
    #expect(line.connection.violation == nil)
    _ = try child.reap()
  }

  @Test(
    "a file of a worker whose files cannot be opened is a violation, and the answer counts for nothing"
  )
  func uninvited() throws {
    let line = try Line(in: .unproved, pid: CurrentProcess.identifier)
    line.greet()
    let file = OutputReference.file(descriptor: 0, byteCount: 0)
    _ = line.connection.report(Self.first, Answer(standardOutput: file), step: nil)
    #expect(line.connection.violation == .uninvitedFile && line.connection.hasLied)
  }

  @Test(
    "a worker's files are used only if it is the process that was started, or one below it",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func stranger() throws {
    let line = try Line(in: .thisMachine, pid: CurrentProcess.identifier)
    line.greet([.inputs])
    #expect(line.connection.acceptsFiles && line.connection.capabilities.takesInputFiles)
    line.greet([.inputs, .outbox], pid: CurrentProcess.parent)
    #expect(!line.connection.acceptsFiles && !line.connection.capabilities.takesInputFiles)
    #expect(line.connection.capabilities.keepsOutbox, "its descriptors are this process's own")
    let gone = try Line(in: .thisMachine)
    gone.greet()
    #expect(!gone.connection.acceptsFiles, "a process that is gone has no files")
  }

  @Test(
    "files that cannot be reached are unavailable, and released all the same",
    .enabled(if: ProcessDescriptor.isAvailable)
  )
  func unreachable() throws {
    let line = try Line(in: .thisMachine, pid: CurrentProcess.identifier)
    line.greet()
    let file = OutputReference.file(descriptor: .max, byteCount: 1 << 20)
    let report = line.connection.report(Self.first, Answer(standardOutput: file), step: nil)
    guard case .unavailable = report.standardOutput else {
      Issue.record("a file that is not open was found")
      return
    }
    #expect(line.connection.violation == nil)
    #expect(line.connection.hasPending, "the release must be sent")
  }

  @Test(
    "a backtrace is noted once, also in a long text, and however the readings divide it",
    arguments: [false, true]
  )
  func backtrace(dividesText: Bool) throws {
    let begin = Array("*** Signal 4: Backtracing from 0x7faa7df6df7f...".utf8)
    let rest = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
    let halves = [rest + Array(begin[..<20]), Array(begin[20...]) + rest]
    for pieces in [[begin + rest], [rest + begin], halves, begin.map { [$0] }] {
      let line = try Line(dividesText: dividesText)
      line.greet([.marks])
      line.connection.welcome(slot: 1, as: nil)
      var count = 0
      for piece in pieces + [begin] {
        try line.complain(piece)
        if line.connection.takeCrash() { count += 1 }
      }
      #expect(count == 1)
    }
    let quiet = try Line(dividesText: dividesText)
    try quiet.complain(halves[0])
    #expect(!quiet.connection.takeCrash())
  }
}

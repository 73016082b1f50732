import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire
import Testing

/// A real worker process, and the coordinator's end of its pipes.
///
/// Tests that use it must not suspend: the worker's death signal is bound to the thread that
/// starts it.
final class WorkerHarness {
  /// What was started: the worker, or its guardian.
  let process: CommandProcess
  /// The worker, once it has said which process it is.
  private(set) var pid: Int32 = 0
  /// What the worker and its operations wrote to the standard error stream.
  private let errors: Int32
  private var input: Int32?
  private let output: Int32
  private var decoder = FrameDecoder(preamble: .magic)
  private var heard: [WorkerMessage] = []
  private var dispatches: UInt64 = 0
  private let watchdog: Watchdog

  /// The words that start a program without the right to raise a thread, which only root has; nil
  /// where there are none.
  static let unprivileged: [String]? = {
    if geteuid() != 0 { return [] }
    let setpriv = "/usr/bin/setpriv"
    guard FileManager.default.isExecutableFile(atPath: setpriv) else { return nil }
    return [setpriv, "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", "--"]
  }()

  /// Starts a built program, behind other words where there are some, and, unless told otherwise,
  /// greets it.
  init(
    _ program: String = "opool-worker",
    _ arguments: [String] = [],
    acceptsFiles: Bool = true,
    greets: Bool = true,
    temporaryFolder: String? = nil,
    behind prefix: [String] = []
  ) throws {
    let path = Repository.program(program).path
    let toWorker = try Descriptors.pipe()
    let fromWorker = try Descriptors.pipe()
    errors = try TemporaryFile.open()
    var environment = ProcessEnvironment.current
    var variables = ["OPOOL_WORKER": "1"]
    variables["TMPDIR"] = temporaryFolder
    environment.set(variables.map { (Array($0.key.utf8), Array($0.value.utf8)) })
    var launcher = CommandLauncher()
    let process = try launcher.start(
      CommandDescription(
        arguments: (prefix + [path] + arguments).map { Array($0.utf8) },
        environment: environment,
        standardInput: toWorker.read,
        standardOutput: fromWorker.write,
        standardError: errors
      )
    )
    self.process = process
    watchdog = Watchdog { process.send(.kill) }
    Descriptors.close(toWorker.read)
    Descriptors.close(fromWorker.write)
    input = toWorker.write
    decoder.attachmentLimit = PackedValue.limit
    output = fromWorker.read
    if greets {
      send(.welcome(Welcome(worker: WorkerID(rawValue: 1), acceptsFiles: acceptsFiles)))
    }
  }

  deinit {
    closeInput()
    process.send(.kill)
    process.waitForEnd()
    _ = try? process.reap()
    Descriptors.close(output)
    Descriptors.close(errors)
  }
}

// MARK: - Speaking

extension WorkerHarness {
  /// Sends messages in one write; a worker that is gone does not read them.
  func send(_ messages: CoordinatorMessage...) {
    var writer = JSONWriter()
    for message in messages { message.encode(into: &writer) }
    sendRaw(writer.joined)
  }

  /// Sends bytes as they are.
  func sendRaw(_ bytes: [UInt8]) {
    guard let input else { return }
    try? SystemIO.writeAll(input, bytes)
  }

  /// Sends a frame with a body of less than 256 bytes.
  func sendBody(_ text: String) {
    sendRaw([0, 0, 0, UInt8(text.utf8.count)] + text.utf8)
  }

  /// An operation that was not sent before.
  func operation(
    _ kind: String,
    _ payload: String = "null",
    qualityOfService: PoolQualityOfService = .default,
    with surroundings: Execute.Surroundings? = nil
  ) -> Execute {
    dispatches += 1
    let reference = DispatchReference(
      operation: OperationID(rawValue: dispatches + 1_000),
      dispatch: DispatchNumber(rawValue: dispatches)
    )
    return Execute(
      reference: reference,
      attempt: 1,
      kind: kind,
      qualityOfService: qualityOfService,
      payload: Array(payload.utf8),
      surroundings: surroundings
    )
  }

  /// A command that was not sent before.
  func command(
    _ payload: CommandPayload,
    qualityOfService: PoolQualityOfService = .default,
    with inputs: NamedInput...
  ) -> Execute {
    operation(
      "command",
      String(decoding: payload.json, as: UTF8.self),
      qualityOfService: qualityOfService,
      with: Execute.Surroundings.of(inputs: inputs)
    )
  }

  /// A shell command that was not sent before.
  func shell(_ line: String) -> Execute {
    command(CommandPayload(.shell(Array(line.utf8))))
  }

  /// A shell command that was not sent before, whose outputs are wanted in this way.
  func shell(_ line: String, outputs: OutputHandling) -> Execute {
    let payload = CommandPayload(.shell(Array(line.utf8)))
    return operation(
      "command",
      String(decoding: payload.json, as: UTF8.self),
      with: .of(outputs: outputs)
    )
  }

  /// Ends the worker's input.
  func closeInput() {
    if let input { Descriptors.close(input) }
    input = nil
  }
}

// MARK: - Listening

extension WorkerMessage {
  /// The message without the elapsed time of an answer.
  var untimed: WorkerMessage {
    switch self {
    case .finished(let reference, let answer): .finished(reference, answer.untimed)
    case .cancelled(let reference, let answer, let step):
      .cancelled(reference, answer.untimed, step: step)
    default: self
    }
  }
}

extension Answer {
  fileprivate var untimed: Answer {
    Answer(
      result: result,
      failure: failure,
      usage: usage,
      standardOutput: standardOutput,
      standardError: standardError,
      written: written,
      stepsTaken: stepsTaken
    )
  }
}

extension WorkerHarness {
  /// The next message that is no `hello`; nil at the end.
  func next() throws -> WorkerMessage? {
    while let message = try nextOfAny() {
      if case .hello = message { continue }
      return message
    }
    return nil
  }

  /// The next message; nil at the end.
  func nextOfAny() throws -> WorkerMessage? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if heard.isEmpty { try decoder.takeWorkerMessages { heard.append($0) } }
      if !heard.isEmpty {
        if case .hello(let hello) = heard[0] { pid = hello.pid }
        return heard.removeFirst()
      }
      let count = try buffer.withUnsafeMutableBytes { try SystemIO.readWaiting(output, into: $0) }
      guard count > 0 else { return nil }
      buffer[..<count].withUnsafeBytes { decoder.append($0) }
    }
  }

  /// Executes an operation and returns its answer; nothing but its own `executing` may precede.
  func answer(to operation: Execute) throws -> Answer {
    send(.execute(operation))
    return try finish(of: operation)
  }

  /// The answer of an operation that was sent.
  func finish(of operation: Execute) throws -> Answer {
    var isExecuting = false
    while let message = try next() {
      switch message {
      case .executing(operation.reference, _): isExecuting = true
      case .finished(operation.reference, let answer):
        #expect(isExecuting)
        return answer
      default: Issue.record("unexpected \(message)")
      }
    }
    throw HarnessError(text: "the worker ended: \(errorText)")
  }

  /// Reads up to the report of the executing command's process group.
  func group(of operation: Execute) throws -> ProcessGroup {
    #expect(try next() == .executing(operation.reference, nil))
    var outputs: [WorkerMessage] = []
    // Live output, which another thread sends, may come first.
    while let message = try next() {
      if case .executing(operation.reference, .some(let group)) = message {
        heard = outputs + heard
        return group
      }
      guard case .output = message else { break }
      outputs.append(message)
    }
    throw HarnessError(text: "no process group came")
  }

  /// Whether the worker can write no more, because too little of its output was read.
  var isOutputFull: Bool {
    var count: CInt = 0
    return ioctl(output, UInt(FIONREAD), &count) == 0 && count > 60_000
  }

  /// Waits for the worker's end.
  func end() throws -> PoolExitStatus {
    process.waitForEnd()
    return try process.reap().0
  }

  /// What was written to the standard error stream so far.
  var errorText: String {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let result = buffer.withUnsafeMutableBytes { try? SystemIO.read(errors, into: $0, from: 0) }
    guard case .bytes(let count) = result else { return "" }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

/// What a test could not go on without.
struct HarnessError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

extension Answer {
  /// The standard output, where it came within the answer.
  var outputText: String? { Self.text(standardOutput) }

  /// The standard error stream's output, where it came within the answer.
  var errorText: String? { Self.text(standardError) }

  /// The result as text.
  var resultText: String? { result.map { String(decoding: $0, as: UTF8.self) } }

  private static func text(_ output: OutputReference?) -> String? {
    guard case .inline(let bytes) = output else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

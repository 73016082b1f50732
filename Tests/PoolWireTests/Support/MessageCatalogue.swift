import PoolModel
import PoolWire

/// Every message and its variants, each with the name of its golden files.
enum MessageCatalogue {
  /// A message and the name of its files in `Protocol/golden`.
  struct Entry {
    var name: String
    var message: AnyMessage
  }

  static let all = (coordinator + worker).map { Entry(name: $0, message: $1) }

  private static let largest = DispatchReference(
    operation: OperationID(rawValue: .max),
    dispatch: DispatchNumber(rawValue: .max)
  )
}

// MARK: - What the coordinator sends

extension MessageCatalogue {
  private static var coordinator: [(String, AnyMessage)] {
    (plainRequests + executions + surroundedExecutions).map { ($0, .coordinator($1)) }
  }

  private static var plainRequests: [(String, CoordinatorMessage)] {
    [
      ("welcome", .welcome(Welcome(worker: WorkerID(rawValue: 3)))),
      (
        "welcome-files",
        .welcome(Welcome(worker: WorkerID(rawValue: 1), frameLimit: 1 << 20, acceptsFiles: true))
      ),
      (
        "welcome-outbox",
        .welcome(
          Welcome(
            worker: WorkerID(rawValue: 2),
            acceptsFiles: true,
            outbox: OutboxPlace(pid: 6_900, descriptor: 14, bytes: 32_832)
          )
        )
      ),
      (
        "welcome-proof",
        .welcome(
          Welcome(
            worker: WorkerID(rawValue: 8),
            outbox: OutboxPlace(pid: 6_900, descriptor: 14, bytes: 32_832, number: .max)
          )
        )
      ),
      ("welcome-checksum", .welcome(Welcome(worker: WorkerID(rawValue: 9), isSealed: true))),
      (
        "welcome-attachments",
        .welcome(Welcome(worker: WorkerID(rawValue: 4), attachmentLimit: PackedValue.limit))
      ),
      ("welcome-slot", .welcome(Welcome(worker: WorkerID(rawValue: 12), slot: 3))),
      (
        "welcome-marks",
        .welcome(
          Welcome(
            worker: WorkerID(rawValue: 5),
            printMark: PrintMark(number: 0x9F03_0000_0000_00A1)
          )
        )
      ),
      (
        "welcome-streams",
        .welcome(
          Welcome(
            worker: WorkerID(rawValue: 6),
            acceptsFiles: true,
            streams: InheritedStreams(output: 11, error: 12)
          )
        )
      ),
      ("welcome-grace", .welcome(Welcome(worker: WorkerID(rawValue: 7), outputGrace: 250))),
      (
        "welcome-lease",
        .welcome(
          Welcome(
            worker: WorkerID(rawValue: 8),
            isSealed: true,
            lease: 300_000,
            window: 1_048_576
          )
        )
      ),
      ("cancel", .cancel(exampleReference, .standard)),
      ("cancel-immediate", .cancel(exampleReference, .immediate)),
      ("recall", .recall(exampleReference)),
      ("release", .release(exampleReference)),
      ("tail", .tail(exampleReference, TailRequest(byteCount: 4_096))),
      ("tail-from", .tail(exampleReference, TailRequest(output: 0, error: 5_000_000_000))),
      ("ping", .ping(.max)),
      ("renewed", .renewed(12)),
      ("grant", .grant(262_144)),
      ("stop", .stop(lease: 86_400_000)),
      ("continue", .proceed),
      ("drain", .drain),
      ("unknown-to-worker", .unknown("applaud")),
    ]
  }

  private static var executions: [(String, CoordinatorMessage)] {
    [
      ("execute", execute("resize", #"{"width":640,"name":"café \u0022\/"}"#)),
      ("execute-null", execute("noop", "null")),
      ("execute-again", execute("sum", "[1,2.50,-3e2]", attempt: 2, qos: .background)),
      (
        "execute-largest",
        .execute(
          Execute(reference: largest, attempt: 1, kind: "noop", payload: Array("0".utf8))
        )
      ),
      (
        "execute-packed",
        .execute(
          Execute(reference: exampleReference, attempt: 1, kind: "mean", payload: PackedSample.all)
        )
      ),
      ("execute-command", command(CommandPayload(.run(["wc", "-l"].map { Array($0.utf8) })))),
      ("execute-command-bytes", command(awkwardCommand)),
      ("execute-command-shell", command(CommandPayload(.shell(Array("ls | wc -l".utf8))))),
      ("execute-command-part", command(partCommand)),
      (
        "execute-command-files",
        command(
          CommandPayload(
            .shell(Array("make".utf8)),
            outputFiles: CommandPayload.OutputFiles(
              output: Array("/tmp/log".utf8),
              error: Array("errors".utf8)
            )
          )
        )
      ),
    ]
  }

  private static var surroundedExecutions: [(String, CoordinatorMessage)] {
    [
      (
        "execute-named",
        execute("noop", "null", with: .of(name: "naïve \"1\"", queue: "uploads"))
      ),
      ("execute-queue", execute("noop", "null", with: .of(queue: ""))),
      ("execute-inputs", execute("merge", "{}", with: everyInput)),
      (
        "execute-command-variables",
        command(
          CommandPayload(.shell(sortLine)),
          with: .of(
            variables: ExecutionVariables(
              id: Array("é \"1\"".utf8),
              sequence: 7,
              key: [0xFF, 0x00, 0x30]
            )
          )
        )
      ),
      (
        "execute-command-live",
        command(CommandPayload(.shell(sortLine)), with: .of(outputs: .live))
      ),
      (
        "execute-command-direct",
        command(CommandPayload(.shell(sortLine)), with: .of(outputs: .direct))
      ),
      ("execute-command-inputs", command(CommandPayload(.shell(sortLine)), with: commandInputs)),
      (
        "execute-command-timeout",
        command(
          CommandPayload(.shell(sortLine)),
          with: .of(timeLimit: TimeLimit(nanoseconds: .seconds(60), teardown: .standard))
        )
      ),
      (
        "execute-command-limits",
        command(
          CommandPayload(.shell(sortLine)),
          with: .of(
            limits: OutputLimits(
              output: OutputLimit(byteCount: 16 << 20, fails: true),
              error: OutputLimit(byteCount: 0, fails: false)
            )
          )
        )
      ),
    ]
  }

  private static let sortLine = Array(#"sort "$OPOOL_INPUT_words" "$OPOOL_INPUT_old_words""#.utf8)

  /// Each form that an input can have, and a name that needs escapes.
  private static var everyInput: Execute.Surroundings? {
    Execute.Surroundings.of(inputs: [
      NamedInput(name: "sum", .json(Array(#"{"sum":6,"of":[1, 2.50,3]}"#.utf8))),
      NamedInput(name: "nothing", .json(Array("null".utf8))),
      NamedInput(name: "count", .output(Array("42\n".utf8))),
      NamedInput(name: "", .output([])),
      NamedInput(name: "\t\"é\"", .output([0xFF, 0x00])),
      NamedInput(name: "picture", .file(Array("/tmp/a picture".utf8))),
      NamedInput(name: "raw", .file([0x2F, 0xE4])),
    ])
  }

  private static var commandInputs: Execute.Surroundings? {
    Execute.Surroundings.of(
      name: "merge",
      inputs: [
        NamedInput(name: "words", .output(Array("b\na\n".utf8))),
        NamedInput(name: "old words", .file(Array("/proc/4600/fd/17".utf8))),
      ]
    )
  }

  private static func execute(
    _ kind: String,
    _ payload: String,
    attempt: Int = 1,
    qos: PoolQualityOfService = .default,
    with surroundings: Execute.Surroundings? = nil
  ) -> CoordinatorMessage {
    .execute(
      Execute(
        reference: exampleReference,
        attempt: attempt,
        kind: kind,
        qualityOfService: qos,
        payload: Array(payload.utf8),
        surroundings: surroundings
      )
    )
  }

  private static func command(
    _ payload: CommandPayload,
    with surroundings: Execute.Surroundings? = nil
  ) -> CoordinatorMessage {
    .execute(
      Execute(
        reference: exampleReference,
        attempt: 1,
        kind: CommandPayload.kind,
        payload: payload.json,
        surroundings: surroundings
      )
    )
  }

  /// The third of three parts of a file.
  private static var partCommand: CommandPayload {
    let part = FilePart(path: Array("/proc/4711/fd/9".utf8), range: 2_097_152..<3_000_000)
    return CommandPayload(.run([Array("sort".utf8)]), standardInput: .file(part))
  }

  /// Bytes that are not UTF-8 wherever a payload may have them.
  private static var awkwardCommand: CommandPayload {
    CommandPayload(
      .run([Array("cat".utf8), [0xFF, 0xFE], Array("naïve\n".utf8)]),
      directory: [0x2F, 0xE4],
      environment: [
        CommandPayload.Variable(name: Array("LANG".utf8), value: Array("C".utf8)),
        CommandPayload.Variable(name: Array("RAW".utf8), value: [0x80]),
      ],
      standardInput: .bytes([0x00, 0xC3])
    )
  }
}

// MARK: - What workers send

extension MessageCatalogue {
  private static var worker: [(String, AnyMessage)] {
    (greetings + reports + answers).map { ($0, .worker($1)) }
  }

  private static var greetings: [(String, WorkerMessage)] {
    [
      ("hello-minimal", .hello(Hello(pid: 4_711, kinds: ["reverse", "sum"]))),
      (
        "hello-full",
        .hello(
          Hello(pid: 4_712, host: "box", kinds: ["command"], capabilities: Set(Capability.allCases))
        )
      ),
      (
        "hello-relay",
        .hello(Hello(versions: [1, 2], pid: 4_713, kinds: [], slots: 16, isRelay: true))
      ),
      ("pong", .pong(12_345_678_901)),
      ("renew", .renew(12)),
      ("unknown-to-coordinator", .unknown("stretch")),
    ]
  }

  private static var reports: [(String, WorkerMessage)] {
    [
      ("executing", .executing(exampleReference, nil)),
      ("executing-group", .executing(exampleReference, ProcessGroup(pid: 4_800, group: 4_800))),
      ("progress", .progress(exampleReference, PoolProgress(completed: 3, total: 10))),
      ("progress-negative", .progress(exampleReference, PoolProgress(completed: 0, total: .min))),
      ("log", .log(exampleReference, Log(message: "tab\tquote\" café \u{1F980} \u{1}"))),
      ("printed", .printed(exampleReference)),
      ("output", output("stdout", Array("half a line".utf8))),
      ("output-bytes", output("stderr", [0x66, 0xFC, 0x72, 0x0A])),
      (
        "written",
        .written(
          exampleReference,
          WrittenOutputs(
            output: WrittenPiece(Array("half a line".utf8), end: 5_000_000_000),
            error: WrittenPiece([0x66, 0xFC], end: 2)
          )
        )
      ),
      ("written-nothing", .written(exampleReference, WrittenOutputs())),
      ("returned", .returned(exampleReference)),
    ]
  }

  private static func output(_ stream: String, _ bytes: [UInt8]) -> WorkerMessage {
    .output(exampleReference, OutputChunk(isError: stream == "stderr", bytes: bytes))
  }

  private static var answers: [(String, WorkerMessage)] {
    [
      ("finished", .finished(exampleReference, Answer())),
      ("finished-null", .finished(exampleReference, Answer(result: Array("null".utf8)))),
      ("finished-packed", .finished(exampleReference, Answer(result: PackedSample.all))),
      ("finished-result", .finished(exampleReference, Answer(result: Array("[1, {}]".utf8)))),
      ("finished-command", .finished(exampleReference, commandAnswer(failure: nil))),
      ("finished-elapsed", .finished(exampleReference, measuredAnswer)),
      ("finished-files", .finished(exampleReference, fileAnswer)),
      ("finished-limits", .finished(exampleReference, limitedAnswer)),
      ("finished-exit", finished(.exit, "exit code 3", code: 3)),
      ("finished-signal", finished(.signal, "signal 11 (SIGSEGV)", code: 11)),
      ("finished-spawn", finished(.spawn, "frobnicate: No such file or directory")),
      ("finished-error", finished(.error, "no such picture", type: "PictureError")),
      ("finished-timeout", finished(.timeout, "", code: 15)),
      ("finished-error-value", .finished(exampleReference, Answer(failure: valueFailure))),
      ("cancelled", .cancelled(exampleReference, Answer(), step: nil)),
      ("cancelled-message", .cancelled(exampleReference, Answer(), step: "message")),
      ("finished-steps", .finished(exampleReference, walkedAnswer)),
      ("cancelled-steps", .cancelled(exampleReference, walkedAnswer, step: "SIGKILL")),
      (
        "cancelled-signal",
        .cancelled(
          exampleReference,
          commandAnswer(failure: Failure(cause: .signal, message: "signal 15 (SIGTERM)", code: 15)),
          step: "SIGTERM"
        )
      ),
    ]
  }

  private static func finished(
    _ cause: Failure.Cause,
    _ message: String,
    type: String? = nil,
    code: Int32? = nil
  ) -> WorkerMessage {
    let failure = Failure(cause: cause, message: message, type: type, code: code)
    return .finished(exampleReference, Answer(failure: failure))
  }

  private static var valueFailure: Failure {
    Failure(
      cause: .error,
      message: "the picture has 7 pixels",
      type: "PictureError",
      value: Array(#"{"tooSmall":{"pixels":7}}"#.utf8),
      isDeclared: true
    )
  }

  private static var measuredAnswer: Answer {
    let usage = PoolResourceUsage(
      userMicroseconds: 706,
      systemMicroseconds: 0,
      peakMemoryBytes: 1_048_576
    )
    return Answer(usage: usage, elapsed: 1_734)
  }

  private static func commandAnswer(failure: Failure?) -> Answer {
    Answer(
      failure: failure,
      usage: PoolResourceUsage(
        userMicroseconds: 1_250,
        systemMicroseconds: 800,
        peakMemoryBytes: 2_097_152
      ),
      standardOutput: .inline(Array("42\n".utf8)),
      standardError: .inline([0xFF])
    )
  }

  private static var walkedAnswer: Answer {
    Answer(
      failure: Failure(cause: .signal, message: "signal 9 (SIGKILL)", code: 9),
      stepsTaken: [
        TeardownStepTaken(.message, after: 0), TeardownStepTaken(.signal(15), after: 2_000_150),
        TeardownStepTaken(.signal(9), after: 3_000_320),
      ]
    )
  }

  private static var limitedAnswer: Answer {
    Answer(
      failure: Failure(
        cause: .outputLimit,
        message: "its output has more than 3 bytes, which is its limit; signal 13 (SIGPIPE)"
      ),
      standardOutput: .inline(Array("abc".utf8)),
      written: WrittenCounts(output: 4_096, error: 70_000)
    )
  }

  private static var fileAnswer: Answer {
    Answer(
      standardOutput: .file(descriptor: 11, byteCount: 1 << 33),
      standardError: .file(descriptor: 12, byteCount: 70_000)
    )
  }
}

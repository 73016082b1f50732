import PoolAnalysis
import PoolEvents
import PoolModel

/// Builds the records of a run that never was.
struct SyntheticRun {
  /// Texts that attack a page, a terminal or a reader.
  static let hostileTexts: [[UInt8]] = [
    Array("</script><img src=x onerror=alert(1)>".utf8),
    Array(#"" onmouseover="alert(1)" x='"#.utf8),
    Array("<!--<script>alert(1)</script>".utf8),
    Array("a\u{202E}b\u{2028}c\u{200B}d\u{FEFF}e\n\r\t\u{1B}[31m\u{0}\u{85}".utf8),
    [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0x62],
    Array(#"\"; alert(1); //\u003cb"#.utf8),
    Array(String(repeating: "é€😀", count: 400).utf8),
  ]

  private(set) var history = RunHistory()
  private var now = Instant(nanoseconds: 1_000_000)

  init(arguments: [[UInt8]] = [Array("run".utf8)], width: Int = 2) {
    let began = RunBegan(
      start: 1_795_892_353_106_219_000,
      run: [],
      journal: nil,
      process: 1,
      host: arguments.last,
      boot: nil,
      cores: 2,
      width: width,
      arguments: arguments,
      folder: Array("/secret/folder".utf8)
    )
    history.take(.runBegan(began), at: now)
    for worker in 0..<width {
      let greeting = WorkerGreeted(worker: id(worker), process: 7, configuration: 0)
      history.take(.workerGreeted(greeting), at: now)
    }
  }

  /// Adds a group behind all operations.
  mutating func addGroup(_ number: Int, _ name: [UInt8]) {
    let group = SubmittedRecord(
      number: number,
      OperationDescription(id: name),
      key: nil,
      memberCount: 1
    )
    history.take(.submitted(group), at: now)
  }

  mutating func submit(
    _ number: Int,
    _ name: [UInt8],
    command: [UInt8] = Array("true".utf8),
    group: Int? = nil,
    after dependencies: [Int] = []
  ) {
    var submitted = SubmittedRecord(
      number: number,
      OperationDescription(id: name, command: command),
      key: nil
    )
    submitted.group = group
    submitted.dependencies = dependencies.map { .init($0, .succeeded) }
    history.take(.submitted(submitted), at: now)
  }

  /// Lets a worker execute an operation, which takes that many nanoseconds.
  mutating func execute(
    _ number: Int,
    on worker: Int,
    for time: Int64 = 2_000_000,
    attempt: Int = 1,
    as ending: PoolEnding = .succeeded,
    saying message: String? = nil,
    isLast: Bool = true
  ) {
    let start = now
    now = now.advanced(by: time)
    let began = AttemptStarted(number: number, attempt: attempt, worker: id(worker), time: start)
    history.take(.started(began), at: start)
    let end = EndRecord(
      number: number,
      ending: ending,
      cause: ending == .succeeded ? nil : .exit,
      attempt: attempt,
      worker: id(worker),
      queued: nil,
      started: start,
      finished: now,
      usage: PoolResourceUsage(
        userMicroseconds: time / 2_000,
        systemMicroseconds: 0,
        peakMemoryBytes: 12 << 20
      ),
      message: message
    )
    history.take(.attemptEnded(end), at: now)
    if isLast { return history.take(.settled(end, counts: true), at: now) }
    let retry = RetryPlanned(number: number, after: attempt, due: nil, because: message ?? "")
    history.take(.retryPlanned(retry), at: now)
  }

  mutating func loseWorker(_ worker: Int, _ message: String) {
    let ended = WorkerEnded(
      worker: id(worker),
      process: 7,
      manner: "signal",
      status: .signaled(9),
      message: message
    )
    history.take(.workerEnded(ended), at: now)
  }

  mutating func end(_ code: Int32 = 0) {
    history.take(.runEnded(RunEnded(exitCode: code)), at: now)
  }

  private func id(_ worker: Int) -> WorkerID { WorkerID(rawValue: UInt32(worker + 1)) }

  /// A run with the hostile texts wherever a run has texts.
  static func hostile() -> RunHistory {
    let texts = hostileTexts
    var run = SyntheticRun(arguments: texts)
    for (number, text) in texts.enumerated() {
      run.submit(
        number,
        text,
        command: text,
        group: texts.count + number,
        after: number > 0 ? [number - 1] : []
      )
    }
    for (number, text) in texts.enumerated() { run.addGroup(texts.count + number, text) }
    for (number, text) in texts.enumerated() {
      let message = String(decoding: text, as: UTF8.self)
      run.execute(number, on: 0, as: .failed, saying: message, isLast: false)
      run.execute(number, on: 1, attempt: 2, as: .failed, saying: message)
      run.loseWorker(number % 2, message)
    }
    run.end(1)
    return run.history
  }

  /// A run of many short operations, of which some fail, in a few groups.
  static func large(_ count: Int) -> RunHistory {
    var run = SyntheticRun(width: 64)
    let kinds = ["decode", "scale", "detect", "encode", "hash", "upload"].map { Array($0.utf8) }
    for number in 0..<count {
      let name = "clip\(number / 600)/frame\(number / 6 % 100)/"
      run.submit(
        number,
        Array(name.utf8) + kinds[number % 6],
        command: Array("process --input /data/\(name) --level \(number % 13)".utf8),
        group: count + number % 6,
        after: number % 6 > 0 ? [number - 1] : []
      )
    }
    for (kind, name) in kinds.enumerated() { run.addGroup(count + kind, name) }
    for number in 0..<count {
      let ending: PoolEnding = number % 500 == 0 ? .failed : .succeeded
      let time = Int64(400_000 + number * 7_919 % 900_000)
      run.execute(number, on: number % 64, for: time, as: ending, saying: "exit code \(number % 3)")
    }
    run.end()
    return run.history
  }
}

import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs
@testable import PoolReports

/// The forecast of a run's progress.
@Suite("Forecasts")
struct RunForecastTests {
  private let second: Int64 = 1_000_000_000
  private let worker = WorkerID(rawValue: 1)

  /// The progress of a map with that many operations.
  private func progress(_ count: Int) throws -> RunProgress {
    let template = try Template(command: [Array("true".utf8)])
    let inputs = MapInputs(arguments: (0..<count).map { Array("\($0)".utf8) })
    let batch = MapWorkload(template: template, inputs: InputList(inputs))
    let progress = RunProgress(RunForecast(batch, patience: .max))
    progress.expect(count)
    return progress
  }

  private func execute(
    _ operation: Int,
    _ progress: RunProgress,
    from start: Int64,
    to end: Int64
  ) {
    begin(operation, progress, at: start)
    finish(operation, progress, from: start, to: end)
  }

  private func begin(
    _ operation: Int,
    _ progress: RunProgress,
    on worker: WorkerID? = nil,
    at time: Int64
  ) {
    let start = AttemptStarted(
      number: operation,
      attempt: 1,
      worker: worker ?? self.worker,
      time: Instant(nanoseconds: time)
    )
    progress.take(.started(start))
  }

  private func finish(
    _ operation: Int,
    _ progress: RunProgress,
    from start: Int64,
    to end: Int64
  ) {
    let record = EndRecord(
      number: operation,
      ending: .succeeded,
      started: Instant(nanoseconds: start),
      finished: Instant(nanoseconds: end)
    )
    progress.take(.settled(record, counts: true))
  }

  private func seconds(_ progress: RunProgress, at time: Int64) -> Int64? {
    let snapshot = progress.snapshot(at: Instant(nanoseconds: time)) { _ in "" }
    return snapshot.remaining.map { $0.nanoseconds / second }
  }

  @Test("What a worker needs between two operations counts, unless there was nothing to execute")
  func gaps() throws {
    let millisecond: Int64 = 1_000_000
    for (gap, expected) in [(9 * millisecond, 8), (second, nil)] as [(Int64, Int64?)] {
      let progress = try progress(1_000)
      var time = second
      for operation in 0..<100 {
        execute(operation, progress, from: time, to: time + millisecond)
        time += millisecond + gap
      }
      #expect(seconds(progress, at: time) == expected)
    }
  }

  @Test("Where many ends are heard of at once, what lies between is counted once")
  func batches() throws {
    let millisecond: Int64 = 1_000_000
    let progress = try progress(1_000)
    for batch in 0..<25 as Range<Int64> {
      let begin = second + batch * 40 * millisecond
      let heard = begin + 40 * millisecond
      for place in 0..<4 as Range<Int64> {
        let start = begin + place * 10 * millisecond
        let operation = Int(batch * 4 + place)
        self.begin(operation, progress, at: heard)
        finish(operation, progress, from: start, to: start + 10 * millisecond)
      }
    }
    #expect(seconds(progress, at: 2 * second) == 9)
  }

  @Test("What executes counts until it ends, and makes places")
  func executing() throws {
    let progress = try progress(12)
    execute(0, progress, from: 0, to: 4 * second)
    for number in 1...2 {
      let worker = WorkerID(rawValue: UInt32(number))
      begin(number, progress, on: worker, at: 4 * second)
    }
    // Nine of four seconds wait, and two have executed for one.
    #expect(seconds(progress, at: 5 * second) == 21)
    // Three times as long as any before.
    let late = progress.snapshot(at: Instant(nanoseconds: 16 * second)) { _ in "" }
    #expect(late.oldest.first?.elapsed == 12 * second)
  }

  /// The first takes four seconds, and two execute at once when it has ended; the rest is what
  /// differs.
  @Test(
    "Dependencies, limits and places count",
    arguments: [
      ("", 12), (#", "after": ["@"]"#, 24), (#", "limit": {"net": 1}"#, 24),
      (#", "slots": 2"#, 24),
    ]
  )
  func limits(fields: String, expected: Int64) throws {
    let lines = (0..<9).map { number in
      let own = number < 3 ? "" : fields.replacing("@", with: number == 3 ? "0" : "\(number - 1)")
      return #"{"id": "\#(number)", "shell": "true"\#(own)}"#
    }
    let manifest = try Manifest(Array(lines.joined(separator: "\n").utf8))
    let batch = manifest
    let progress = RunProgress(RunForecast(batch, patience: .max))
    progress.expect(9)
    execute(0, progress, from: 0, to: 4 * second)
    for number in 1...2 {
      let worker = WorkerID(rawValue: UInt32(number))
      begin(number, progress, on: worker, at: 0)
    }
    #expect(seconds(progress, at: 4 * second) == expected)
  }

  @Test("An input that has not ended makes the time a bound")
  func open() throws {
    let progress = try progress(3)
    progress.setOpen(true)
    execute(0, progress, from: 0, to: 4 * second)
    let snapshot = progress.snapshot(at: Instant(nanoseconds: 4 * second)) { _ in "" }
    #expect(snapshot.remaining == RemainingTime(nanoseconds: 8 * second, isAtLeast: true))
    #expect(snapshot.isOpen)
  }

  @Test("The rate so far counts only until the operations are known well enough")
  func rate() throws {
    let template = try Template(command: [Array("true".utf8)])
    let inputs = MapInputs(arguments: (0..<300).map { Array("\($0)".utf8) })
    let batch = MapWorkload(template: template, inputs: InputList(inputs))
    let progress = RunProgress(RunForecast(batch, patience: -1))
    progress.expect(300)
    for number in 0..<298 { execute(number, progress, from: 0, to: second / 1_000) }
    #expect(seconds(progress, at: 600 * second) == 4, "at that rate, for two operations")
    #expect(seconds(progress, at: 600 * second) == nil, "as the forecast knows, it is short")
  }

  @Test("What is tried again waits until its time has come")
  func delays() throws {
    let progress = try progress(2)
    execute(0, progress, from: 0, to: 4 * second)
    begin(1, progress, at: 4 * second)
    let retry = RetryPlanned(
      number: 1,
      after: 1,
      due: Instant(nanoseconds: 105 * second),
      because: "exit code 1"
    )
    progress.take(.retryPlanned(retry))
    #expect(seconds(progress, at: 5 * second) == 104)
  }
}

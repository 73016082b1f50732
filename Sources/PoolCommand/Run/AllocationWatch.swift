import OperationPool
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// Ends a run before its job of Slurm does; has its own thread, which asks Slurm for the time left.
final class AllocationWatch: Sendable {
  private let job: [UInt8]
  private let control: RunControl
  private let end: Mutex<AllocationEnd>
  private let hasTold = Atomic(false)
  private let thread = RunThread()

  /// Nil without `--margin`.
  init?(_ options: SharedOptions, _ control: RunControl) {
    guard let margin = options.margin,
      let job = ProcessEnvironment.current.value(of: SlurmAllocation.jobVariable)
    else { return nil }
    (self.job, self.control) = (job, control)
    end = Mutex(AllocationEnd(margin: margin))
  }

  /// Starts the thread.
  func open(telling messages: RunMessages) throws(SystemFailure) {
    try thread.start(named: "opool-margin") { [self] in
      let times = times()
      let step = end.withLock { $0.step(times, at: MonotonicClock.now) }
      return thread.isOver ? nil : take(step, messages)
    }
  }

  /// The run is over.
  func close() { thread.close() }

  /// Takes a step; returns the nanoseconds until the next, if there is one.
  private func take(_ step: AllocationEnd.Step, _ messages: RunMessages) -> Int64? {
    switch step {
    case .wait(let time, let isKnown):
      if !isKnown, !hasTold.exchange(true, ordering: .relaxed) {
        messages.say("--margin: squeue does not tell when this job ends", always: true)
      }
      return time
    case .drain(let time):
      let rest = Printable.seconds(time)
      messages.say(
        "the job of Slurm ends soon: nothing more begins, and what executes has \(rest)",
        always: true
      )
      control.drain(as: .drained)
      return max(time, 0)
    case .end:
      messages.say("the job of Slurm ends soon: what executes is ended", always: true)
      control.endNow(as: .drained)
      return nil
    case .refuse(let limit):
      messages.say(
        "--margin is not less than the time of this job of Slurm, \(Printable.seconds(limit)): "
          + "nothing could begin",
        always: true
      )
      control.endNow(as: .usage)
      return nil
    }
  }

  /// What `squeue` says of the job within 10 s.
  private func times() -> AllocationEnd.Times? {
    // An array's job may be named like the array, of which all jobs are told then.
    let words = ["timeout", "-k1", "9", "squeue", "-h", "-o", "%A %L %l", "-j"]
    guard let text = try? output(of: words) else { return nil }
    return AllocationEnd.Times(
      squeue: String(decoding: text, as: UTF8.self),
      job: String(decoding: job, as: UTF8.self)
    )
  }

  /// What a command prints whose last argument is the job's number, up to its end: a file does not
  /// wait for what it may leave behind.
  private func output(of words: [String]) throws -> [UInt8] {
    let file = try TemporaryFile.open()
    defer { Descriptors.close(file) }
    var launcher = CommandLauncher()
    let process = try launcher.start(
      CommandDescription(
        arguments: words.map { Array($0.utf8) } + [job],
        environment: .current,
        standardOutput: file,
        deathSignal: .terminate
      )
    )
    process.waitForEnd()
    _ = try process.reap()
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let transfer = try bytes.withUnsafeMutableBytes { (buffer) throws(SystemFailure) in
      try SystemIO.read(file, into: buffer, from: 0)
    }
    guard case .bytes(let count) = transfer else { return [] }
    return Array(bytes.prefix(count))
  }
}

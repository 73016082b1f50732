import OperationPool
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// Ends a run before its job of Slurm does; has its own thread, which asks Slurm for the time left.
final class AllocationWatch: Sendable {
  private let job: [UInt8]
  private let margin: Int64
  private let control: RunControl
  private let isClosed = Monitor(false)

  /// Nil without `--margin`.
  init?(_ options: SharedOptions, _ control: RunControl) {
    guard let margin = options.margin,
      let job = ProcessEnvironment.current.value(of: SlurmAllocation.jobVariable)
    else { return nil }
    (self.job, self.margin, self.control) = (job, margin, control)
  }

  /// Starts the thread.
  func open(telling messages: RunMessages) throws(SystemFailure) {
    try SystemThread.start(name: "opool-margin", mask: .full) { [self] in
      var end = AllocationEnd(margin: margin)
      var isTold = false
      while true {
        let left = timeLeft()
        if left == nil, !isTold {
          messages.say("--margin: squeue does not tell a time at which this job ends", always: true)
          isTold = true
        }
        guard take(end.step(left: left), messages) else { return }
      }
    }.detach()
  }

  /// The run is over.
  func close() {
    isClosed.withLock { $0 = true }
    isClosed.broadcast()
  }

  /// Takes a step, and waits for the next; false if there is none.
  private func take(_ step: AllocationEnd.Step, _ messages: RunMessages) -> Bool {
    var rest: Int64
    switch step {
    case .wait(let time): rest = time
    case .drain(let time):
      rest = time
      messages.say(
        "the job of Slurm ends soon: nothing more begins, and what executes has "
          + Printable.seconds(time),
        always: true
      )
      control.drain(as: .drained)
    case .end:
      messages.say("the job of Slurm ends soon: what executes is ended", always: true)
      control.end(as: .drained)
      return false
    }
    rest = max(rest, .milliseconds(100))
    return !isClosed.wait(until: MonotonicClock.now + rest) { !$0 }
  }

  /// Nanoseconds that the job has left, as `squeue` says within 20 s.
  private func timeLeft() -> Int64? {
    guard let line = try? output(of: ["timeout", "20", "squeue", "-h", "-o", "%L", "-j"]) else {
      return nil
    }
    return AllocationEnd.time(String(decoding: line, as: UTF8.self))
  }

  /// What a command prints, whose last argument is the job's number, without white space.
  private func output(of words: [String]) throws -> [UInt8] {
    let pipe = try Descriptors.pipe()
    defer { Descriptors.close(pipe.read) }
    var launcher = CommandLauncher()
    let started = Result {
      try launcher.start(
        CommandDescription(
          arguments: words.map { Array($0.utf8) } + [job],
          environment: .current,
          standardOutput: pipe.write,
          deathSignal: .kill
        )
      )
    }
    Descriptors.close(pipe.write)
    let process = try started.get()
    var bytes: [UInt8] = []
    try SystemIO.readPieces(pipe.read) { piece in
      bytes.append(contentsOf: piece)
      return bytes.count < 4_096
    }
    process.waitForEnd()
    _ = try process.reap()
    return bytes.filter { $0 > UInt8(ascii: " ") }
  }
}

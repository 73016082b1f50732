import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// `opool status`: which runs there are, how far they are, and what executes.
enum StatusCommand {
  /// Nanoseconds between two questions of `--watch`.
  private static let period = Int64.seconds(1)

  static func run(_ options: AskOptions) -> ExitCode {
    let finder = RunFinder()
    do throws(RunFailure) {
      guard options.isWatching else { return try show(finder, options) }
      let run = try finder.run(of: options.process)
      return watch(run, finder, options)
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }

  /// Shows one run, or a list of several; as JSON, each run has the same line either way.
  private static func show(_ finder: RunFinder, _ options: AskOptions) throws(RunFailure)
    -> ExitCode
  {
    let runs = finder.runs
    if options.process != nil || runs.count == 1 {
      let run = try finder.run(of: options.process)
      return try print(finder, run, .status, options) ?? .success
    }
    var text: [UInt8] = []
    for run in runs {
      do throws(RunFailure) {
        let subject: RunQuestion.Subject = options.printsJSON ? .status : .summary
        let question = RunQuestion(subject, wantsJSON: options.printsJSON)
        if let answer = try finder.ask(run, question) { text += RunText.safe(answer) }
      } catch {
        CurrentProcess.complain("opool: \(error.message)")
      }
    }
    guard !text.isEmpty else {
      throw RunFailure(.usage, "there is no run that could be asked")
    }
    return StandardOutput.write(text) ?? .success
  }

  /// Asks a run, and prints what it says; nil if that was written.
  private static func print(
    _ finder: RunFinder,
    _ run: RunFinder.Run,
    _ subject: RunQuestion.Subject,
    _ options: AskOptions
  ) throws(RunFailure) -> ExitCode? {
    let question = RunQuestion(subject, wantsJSON: options.printsJSON)
    guard let answer = try finder.ask(run, question) else {
      throw RunFailure(.usage, "the run of process \(run.name.process) has ended")
    }
    return StandardOutput.write(RunText.safe(answer))
  }

  private static func watch(
    _ run: RunFinder.Run,
    _ finder: RunFinder,
    _ options: AskOptions
  ) -> ExitCode {
    let clears = Descriptors.isTerminal(1) && !options.printsJSON
    let question = RunQuestion(.status, wantsJSON: options.printsJSON)
    let pause = Monitor(())
    while true {
      do throws(RunFailure) {
        guard let answer = try finder.ask(run, question) else { return .success }
        // The cursor goes home, and everything below is cleared after the text.
        let text = RunText.safe(answer)
        let page = clears ? Array("\u{1B}[H\u{1B}[2J".utf8) + text : text
        if let failure = StandardOutput.write(page) { return failure }
      } catch {
        // One that is stopped may go on.
        CurrentProcess.complain("opool: \(error.message)")
      }
      _ = pause.wait(until: MonotonicClock.time(in: period)) { _ in true }
    }
  }
}

/// The text of an answer.
enum RunText {
  /// The text without what could move the cursor: the run may be one of another program.
  static func safe(_ answer: RunAnswer) -> [UInt8] {
    Array(Printable.lines(String(decoding: answer.text, as: UTF8.self)).utf8)
  }
}

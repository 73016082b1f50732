import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// `opool cancel`, `scale`, `pause` and `unpause`: asks a run, and waits until that has happened.
enum SteerCommand {
  /// Nanoseconds between two questions, the first and the longest time: 2 ms and 100 ms.
  private static let firstPause = Int64.milliseconds(2)
  private static let longestPause = Int64.milliseconds(100)

  static func run(_ request: SteeringRequest, _ options: AskOptions) -> ExitCode {
    do throws(RunFailure) {
      let finder = RunFinder()
      let run = try finder.run(of: options.process)
      let (text, hasHappened) = try steer(run, finder, request, options)
      let failure = StandardOutput.write(text)
      return failure ?? (hasHappened ? .success : .operationsFailed)
    } catch {
      CurrentProcess.complain("opool: \(error.message)")
      return error.code
    }
  }

  /// Asks until the run has done it, or its time for that is over.
  private static func steer(
    _ run: RunFinder.Run,
    _ finder: RunFinder,
    _ request: SteeringRequest,
    _ options: AskOptions
  ) throws(RunFailure) -> (text: [UInt8], hasHappened: Bool) {
    let isJSON = options.printsJSON
    let start = MonotonicClock.now
    var pause = firstPause
    guard var answer = try finder.ask(run, RunQuestion(request.subject, wantsJSON: isJSON)) else {
      throw RunFailure(.usage, "the run of process \(run.name.process) has ended")
    }
    while answer.isAnswer, let pending = answer.pending {
      guard MonotonicClock.now - start < Int64(pending.limit) * .seconds(1) else {
        return (RunText.safe(answer), false)
      }
      MonotonicClock.sleep(nanoseconds: pause)
      pause = min(pause * 2, longestPause)
      let again = RunQuestion(.again(pending.number), wantsJSON: isJSON)
      guard let next = try finder.ask(run, again) else {
        // With the run, all of its operations have ended.
        if case .cancel = request, !isJSON { return (Array("the run has ended\n".utf8), true) }
        throw RunFailure(.usage, "the run of process \(run.name.process) has ended meanwhile")
      }
      answer = next
    }
    let text = RunText.safe(answer)
    guard answer.isAnswer else {
      throw RunFailure(.usage, String(decoding: text.dropLast(), as: UTF8.self))
    }
    return (text, true)
  }
}

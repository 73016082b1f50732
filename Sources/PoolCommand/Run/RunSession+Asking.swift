import OperationPool
import PoolEvents
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

// What a run answers to other processes; called on the thread of its door.

extension RunSession {
  /// The most operations that an explanation names.
  private static let namedLimit = 10

  /// Lets other processes ask the run; without a socket it goes on.
  func openDoor() {
    do throws(SystemFailure) {
      let made = try RunDoor(
        in: RuntimeFolder(named: "opool", in: .current),
        of: CurrentProcess.identifier,
        from: identity.start
      ) { [unowned self] in answer($0) }
      door.withLock { $0 = made }
    } catch {
      say("nobody can ask the run: \(error.reason)", verbose: true)
    }
  }

  func answer(_ question: RunQuestion) -> RunAnswer {
    switch question.subject {
    case .summary:
      return RunAnswer(summary(statusReport.progress, asJSON: question.wantsJSON))
    case .status: return RunAnswer(status(asJSON: question.wantsJSON))
    case .explanation(let id):
      guard let number = number(of: id) else {
        let text = "no operation is called '\(Printable.name(id))'\n"
        return RunAnswer(Array(text.utf8), isAnswer: false)
      }
      let explanation = Explanation(id, standing(of: number))
      if question.wantsJSON { return RunAnswer(explanation.json) }
      return RunAnswer(Array((explanation.lines.joined(separator: "\n") + "\n").utf8))
    }
  }

  private func summary(_ progress: ProgressSnapshot, asJSON: Bool) -> [UInt8] {
    let words = CurrentProcess.arguments.map { Printable.name($0) }.joined(separator: " ")
    return RunSummaryLine(
      process: CurrentProcess.identifier,
      progress: progress,
      command: words
    ).text(asJSON: asJSON)
  }

  private func status(asJSON: Bool) -> [UInt8] {
    let report = statusReport
    if asJSON { return report.json }
    let executions = report.executionLines.map { "  \($0)\n" }.joined()
    return summary(report.progress, asJSON: false) + Array(executions.utf8)
  }

  /// The number of an operation, or of a group.
  private func number(of id: [UInt8]) -> Int? {
    let count = workload.count
    if let number = (0..<count).first(where: { workload.id(of: $0) == id }) {
      return recorder.knows(number) ? number : nil
    }
    return (0..<workload.groupCount).first { workload.groupName($0) == id }.map { count + $0 }
  }

  private func standing(of number: Int) -> Explanation.Standing {
    if let ending = recorder.ending(of: number) { return .ended(ending) }
    let now = control.engine.now
    if let execution = runProgress.execution(of: number) {
      return .executing(execution.worker, now.nanoseconds - execution.start.nanoseconds)
    }
    if let due = runProgress.nextAttempt(of: number) {
      return .delayed(max(due.nanoseconds - now.nanoseconds, 0))
    }
    let open = openDependencies(of: number)
    if !open.isEmpty {
      let named = open.prefix(Self.namedLimit).map { other($0, at: now) }
      return .dependencies(named, more: open.count - named.count)
    }
    if let barrier = barrier(before: number, at: now) { return barrier }
    if let limit = fullLimit(of: number, at: now) { return limit }
    if let pause = control.pause { return .paused(pause) }
    let slots = number < workload.count ? workload.slots(of: number) : 1
    return .slot(count: slots, busy: runProgress.executing.count)
  }

  private func openDependencies(of number: Int) -> [Int] {
    var open: [Int] = []
    let isGroup = number >= workload.count
    if isGroup {
      return (0..<workload.count).filter { operation in
        workload.group(of: operation).map { workload.count + $0 } == number
          && recorder.ending(of: operation) == nil
      }
    }
    workload.forEachDependency(of: number) { other, _ in
      if recorder.ending(of: other) == nil { open.append(other) }
    }
    return open
  }

  private func other(_ number: Int, at now: Instant) -> Explanation.Other {
    let start = runProgress.execution(of: number)?.start
    let id =
      number < workload.count
      ? workload.id(of: number) : workload.groupName(number - workload.count)
    return Explanation.Other(id, executing: start.map { now.nanoseconds - $0.nanoseconds })
  }

  /// The first operation that has not ended and is, or is before, the barrier.
  private func barrier(before number: Int, at now: Instant) -> Explanation.Standing? {
    guard number < workload.count else { return nil }
    let isBarrier = workload.isBarrier(number)
    let open = (0..<number).first { other in
      (isBarrier || workload.isBarrier(other)) && recorder.ending(of: other) == nil
    }
    return open.map { .barrier(isOwn: isBarrier, other($0, at: now)) }
  }

  /// The first resource that an operation needs and whose units are all held.
  private func fullLimit(of number: Int, at now: Instant) -> Explanation.Standing? {
    guard number < workload.count else { return nil }
    let executing = runProgress.executing
    for claim in workload.claims(of: number) {
      let holders = executing.filter { workload.claims(of: $0).contains(claim) }
      let resource = workload.resource(claim)
      guard holders.count >= resource.units else { continue }
      let named = holders.prefix(Self.namedLimit).map { other($0, at: now) }
      return .limit(resource.name.text, units: resource.units, named)
    }
    return nil
  }
}

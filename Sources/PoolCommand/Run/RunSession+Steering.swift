import OperationPool
import PoolAnalysis
import PoolCore
import PoolEvents
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import PoolText

// What other processes ask the run for. Questions come on the thread of its door; what they ask for
// is done on the coordinator's thread, so that records come in the order of what happens.

extension RunSession {
  /// Seconds within which a pause, or a width, should hold.
  private static let usualLimit = 10
  /// The most operations that a note names.
  private static let notedLimit = 10

  func steer(_ question: RunQuestion, from peer: LocalPeer) -> RunAnswer {
    let asker = RunSteered.Asker(user: peer.user, process: peer.process, command: peer.command)
    let isJSON = question.wantsJSON
    switch question.subject {
    case .cancel(let ids):
      let search = TargetSearch(ids, in: workload, recorder)
      if let complaint = search.complaint(executing: executingNames) { return refusal(complaint) }
      let targets = search.targets
      return begin(within: limit(of: targets), isJSON) { self.cancel(targets, by: asker, $0) }
    case .scale(let width):
      if let obstacle = obstacle(to: width) { return refusal(obstacle) }
      return begin(isJSON) { self.scale(to: width, by: asker, $0) }
    case .pause: return begin(isJSON) { self.pause(by: asker, $0) }
    case .unpause: return begin(isJSON) { self.unpause(by: asker, $0) }
    case .again(let number): return answer(to: number, isJSON)
    case .summary, .status, .explanation, .output: return refusal("this asks for nothing")
    }
  }

  private func refusal(_ text: String) -> RunAnswer {
    RunAnswer(Array((text + "\n").utf8), isAnswer: false)
  }

  /// Has the coordinator's thread do what is asked for; its client asks again.
  private func begin(
    within limit: Int = usualLimit,
    _ isJSON: Bool,
    _ body: @escaping @Sendable (UInt64) -> Void
  ) -> RunAnswer {
    let number = steering.add(limit: limit)
    control.engine.onLoop {
      guard !self.control.isEnding else {
        return self.steering.set(.refused("the run is ending"), of: number)
      }
      body(number)
    }
    return answer(to: number, isJSON)
  }

  private func answer(to number: UInt64, _ isJSON: Bool) -> RunAnswer {
    guard let (course, limit) = steering.ask(number) else {
      return refusal("the run does not remember this request")
    }
    let pending = RunAnswer.Pending(number: number, limit: limit)
    var report: SteeringReport
    switch course {
    case .asked:
      return RunAnswer(Array("the run has not taken the request yet\n".utf8), pending: pending)
    case .refused(let reason):
      steering.conclude(number)
      return refusal(reason)
    case .cancelling(let targets, let skips, let notes):
      report = self.report(targets, skips)
      report.notes = notes
    case .pausing(let notes):
      let now = control.engine.standstill
      report = SteeringReport(.pause(executing: now.executing, unstarted: now.unstarted))
      report.notes = notes
    case .done(let done): report = done
    }
    let text = report.text(asJSON: isJSON)
    guard report.isComplete, hasPassedTurn(number) else {
      return RunAnswer(text, pending: pending)
    }
    steering.conclude(number)
    return RunAnswer(text)
  }

  /// Whether the coordinator's thread has ended a turn since the request was met: only then has all
  /// that follows been told.
  private func hasPassedTurn(_ number: UInt64) -> Bool {
    switch steering.awaitTurn(number) {
    case .first: control.engine.onLoop { [steering] in steering.passTurn(number) }
    case .awaited: break
    case .passed: return true
    }
    return flow.isOver
  }

  /// What of the executing operations is named in a complaint.
  private var executingNames: [[UInt8]] {
    runProgress.executing.sorted().map { workload.id(of: $0) }
  }
}

// MARK: - Cancelling

extension RunSession {
  /// Seconds within which the targets should have ended: what their teardown sequences allow, 5,
  /// and one for each 5,000 operations, whose ends are told one by one.
  private func limit(of targets: [RunSteering.Target]) -> Int {
    let run = options.teardown ?? .standard
    let own = targets.lazy.flatMap(\.numbers).prefix(1_000).compactMap { number in
      self.workload.teardown(of: number)
    }
    let graces = ([run] + own).map { sequence in
      sequence.steps.reduce(0) { $0 + $1.graceMilliseconds }
    }
    let count = targets.reduce(0) { $0 + $1.numbers.count }
    return (graces.max() ?? 0) / 1_000 + 5 + count / 5_000
  }

  private func cancel(
    _ targets: [RunSteering.Target],
    by asker: RunSteered.Asker,
    _ number: UInt64
  ) {
    switch control.engine.cancel(targets.map(\.numbers)) {
    case .refused(let places):
      let ended = places.map { "  \(Printable.name(targets[$0].id)) has ended" }
      let text = (["nothing was cancelled:"] + ended).joined(separator: "\n")
      steering.set(.refused(text), of: number)
    case .accepted(let numbers, let earlier, let skips, let newSkipCount):
      if !numbers.isEmpty {
        let named = targets.map { target in
          target.isGroup ? workload.count + target.group(in: workload) : target.numbers[0]
        }
        let record = RunSteered.CancelledTargets(
          named,
          count: numbers.count,
          skipped: newSkipCount
        )
        tell(.steered(RunSteered(.cancel(record), by: asker)))
        say("\(Plural.of(numbers.count, "operation")) cancelled by \(ReportWording.asker(asker))")
      }
      let open = Set(numbers + earlier)
      let opened = targets.map { target in
        var target = target
        target.numbers.removeAll { !open.contains($0) }
        return target
      }
      let notes = notes(ofEarlier: earlier)
      steering.set(.cancelling(opened, skips: skips, notes: notes), of: number)
    }
  }

  /// What is said of operations that were cancelled before, and have not ended.
  private func notes(ofEarlier numbers: [Int]) -> [String] {
    let (endings, now) = (control.engine.endings, control.engine.now)
    let named = numbers.prefix(Self.notedLimit).map { number in
      let name = Printable.name(workload.id(of: number))
      guard let ending = endings[number] else { return "\(name) was cancelled before" }
      let time = DurationFormat.clock(now.nanoseconds - ending.start.nanoseconds)
      return "\(name) was cancelled before, and has been ending for \(time)"
    }
    let more = numbers.count - named.count
    return more > 0 ? named + ["… and \(more) more"] : named
  }

  private func report(_ targets: [RunSteering.Target], _ skips: [Int]) -> SteeringReport {
    let reports = targets.map { target in
      var report = SteeringReport.Target(
        target.id,
        isGroup: target.isGroup,
        ended: [:],
        openCount: 0
      )
      for ending in recorder.endings(of: target.numbers) {
        if let ending { report.ended[ending, default: 0] += 1 } else { report.openCount += 1 }
      }
      return report
    }
    let pending = recorder.endings(of: skips).count { $0 == nil }
    return SteeringReport(.cancel(reports, skipped: skips.count, pending: pending))
  }
}

extension RunSteering.Target {
  /// The number of the group that it is, from 0.
  fileprivate func group(in workload: any Workload) -> Int {
    numbers.first.flatMap { workload.group(of: $0) } ?? 0
  }
}

// MARK: - The width

extension RunSession {
  /// Why so many operations cannot execute at once; nil if they can.
  private func obstacle(to width: Int) -> String? {
    guard (1...WidthRequest.limit).contains(width) else {
      return "the number of operations at once is from 1 to \(WidthRequest.limit)"
    }
    if case .file(let path) = options.width {
      return "-j \(Printable.text(path)) says how many execute at once; write the number there"
    }
    let own = control.placeStates.reduce(0) { $0 + $1.limit }
    if own > 0, width > own {
      return "the workers of --worker, -S and --hosts take \(own) at once"
    }
    if options.starts.servesJobs, control.tokens != nil, width > steering.startWidth {
      return "--jobserver has \(steering.startWidth) tokens, and each operation needs one"
    }
    guard own == 0, width > steering.startWidth else { return nil }
    let capacity = WorkerCapacity(MachineFacts())
    guard width > capacity.most else { return nil }
    return "at most \(capacity.most) at once: \(capacity.reason)"
  }

  private func scale(to width: Int, by asker: RunSteered.Asker, _ number: UInt64) {
    let before = steering.scale(to: width)
    if before != width {
      tell(.steered(RunSteered(.scale(to: width, from: before), by: asker)))
      say("\(width) at once instead of \(before), by \(ReportWording.asker(asker))")
    }
    // Behind the user's own workers, those of opool are a reserve, which is not changed.
    if options.workers.isEmpty {
      control.engine.widen(configurationAt: 0, of: control.fleet, to: width)
    }
    control.engine.setWidth(width, of: control.queue)
    gate?.scale(to: width)
    let executing = control.engine.standstill.executing
    let report = SteeringReport(
      .scale(to: width, from: before, executing: executing),
      notes: holds
    )
    steering.set(.done(report), of: number)
  }

  /// What else may hold operations back, whatever the width.
  private var holds: [String] {
    let options = [
      options.starts.load == nil ? nil : "--load", options.starts.memory == nil ? nil : "--memfree",
      options.starts.delay > 0 ? "--delay" : nil,
    ].compactMap { $0 }
    var notes: [String] = []
    if !options.isEmpty {
      let verb = options.count == 1 ? "holds" : "hold"
      notes.append("\(options.joined(separator: " and ")) still \(verb) back what begins")
    }
    if control.tokens != nil {
      notes.append("each operation needs a token of the jobserver, which may allow fewer")
    }
    if let pause = control.pause { notes.append("nothing begins now: \(pause)") }
    return notes
  }
}

// MARK: - Pauses

extension RunSession {
  private func pause(by asker: RunSteered.Asker, _ number: UInt64) {
    let now = control.engine.now
    let earlier = steering.pause(RunSteering.Pause(asker: asker, start: now))
    control.suspend(for: .request)
    guard let earlier else {
      tell(.steered(RunSteered(.pause, by: asker)))
      say("paused by \(ReportWording.asker(asker))")
      return steering.set(.pausing(notes: []), of: number)
    }
    let time = DurationFormat.clock(now.nanoseconds - earlier.start.nanoseconds)
    let note = "it was paused before, for \(time) by \(ReportWording.asker(earlier.asker))"
    steering.set(.pausing(notes: [note]), of: number)
  }

  private func unpause(by asker: RunSteered.Asker, _ number: UInt64) {
    let pause = steering.unpause()
    let length = pause.map { control.engine.now.nanoseconds - $0.start.nanoseconds }
    if pause != nil {
      tell(.steered(RunSteered(.unpause, by: asker)))
      say("unpaused by \(ReportWording.asker(asker))")
      control.resume(for: .request)
    }
    let other = control.pause.map { ["nothing begins all the same: \($0)"] }
    let report = SteeringReport(.unpause(after: length), notes: other ?? [])
    steering.set(.done(report), of: number)
  }
}

import OperationPool
import PoolInputs
import PoolReports

extension RunReaders {
  /// The readers of a run, with those that write lines to these targets.
  convenience init(_ parts: RunParts, _ sinks: sending [TargetLines: LineSink]) {
    let (workload, options, control) = (parts.workload, parts.options, parts.control)
    var members: [Member] = [.reader(parts.progress), .taker(parts.printing)]
    let began: @Sendable () -> Void = { [flow = parts.flow] in flow.noteLines() }
    for lines in TargetLines.allCases {
      guard let sink = sinks[lines] else { continue }
      members.append(lines.reader(writingTo: sink, parts, began))
    }
    let isVerbose = options.verbosity == .verbose
    members.append(.reader(VerboseReader(workload, parts.messages, isVerbose: isVerbose)))
    if let halt = parts.halt { members.append(.reader(halt)) }
    if let watch = parts.watch { members.append(.reader(watch)) }
    if let junit = parts.junit { members.append(.both(junit)) }
    if let github = parts.github { members.append(.both(github)) }
    if let history = parts.history { members.append(.reader(history)) }
    if let kept = parts.kept { members.append(.reader(kept)) }
    let summary = SummaryReader(
      workload,
      shell: options.shell,
      parts.failureNotices,
      github: parts.github
    )
    self.init(members, summary) { control.endUnstored() }
  }
}

extension RunParts {
  /// Who tells failures when they happen; nil in a quiet run, which tells them at its end, and
  /// where another reader tells them.
  fileprivate var failureNotices: FailureNotices? {
    guard options.verbosity != .quiet, github == nil || options.printsJSON else { return nil }
    return FailureNotices(
      manifest: workload.file,
      isJSON: options.printsJSON,
      showsEnd: !printing.showsFailures,
      of: control,
      messages.printer.say
    )
  }
}

extension TargetLines {
  /// The reader that writes the lines; the closure is called when lines wait to be flushed.
  fileprivate func reader(
    writingTo sink: LineSink,
    _ parts: RunParts,
    _ began: @escaping @Sendable () -> Void
  ) -> RunReaders.Member {
    switch self {
    case .results: .taker(ResultsFile(sink, of: parts.workload, parts.identity, began: began))
    case .jobLog: .taker(JobLog(sink, of: parts.workload, runStart: parts.identity.start))
    case .events:
      .reader(
        EventsFile(sink, now: { [engine = parts.control.engine] in engine.now }, began: began)
      )
    }
  }
}

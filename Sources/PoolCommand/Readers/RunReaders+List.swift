import PoolEvents
import PoolModel

extension RunReaders {
  /// The readers of a run, with those that write lines to these targets.
  ///
  /// - Parameters:
  ///   - session: What the readers ask.
  ///   - sinks: Where the lines of each target go.
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
    self.init(members, SummaryReader(workload, options)) {
      if control.earlyExitCode == nil { control.end(as: .output) }
    }
  }
}

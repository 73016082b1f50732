import OperationPool
import PoolAnalysis
import PoolCore
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// What a terminal shows of a run: gathers its state, and has it drawn; on the printer's thread.
final class RunScreen: Sendable {
  private let workload: any Workload
  private let control: RunControl
  private let progress: RunProgress
  /// What a block shows beside counts; nil for a line.
  let watch: RunWatch?
  private let gate: StartGate?
  private let block: Mutex<LiveBlock>
  private let lastLines = Mutex(LastLines())

  /// The screen of a run; nil if none is shown.
  init?(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ control: RunControl,
    _ progress: RunProgress,
    _ gate: StartGate?
  ) {
    let style = options.progressStyle
    guard style != .hidden else { return nil }
    (self.workload, self.control) = (workload, control)
    (self.progress, self.gate) = (progress, gate)
    watch = style == .block ? RunWatch(workload) : nil
    block = Mutex(LiveBlock(options.blockStyle))
  }

  /// What is shown on a terminal of that size; nil when the run is over.
  func text(in size: Terminal.Size) -> ProgressText? {
    let snapshot = progress.snapshot(
      at: control.engine.now,
      places: { control.placeStates },
      oldest: watch == nil ? 1 : IdleReason.namedLimit,
      label: workload.label(of:)
    )
    guard !snapshot.isOver else { return nil }
    guard let watch else { return snapshot.text(width: max(size.columns - 1, 0)) }
    let executing = progress.executions
    let run = watched(snapshot, executing, watch, size)
    let (endings, now) = (control.engine.endings, control.engine.now)
    let lines = block.withLock { block in
      let lines = block.lines(of: run, in: size) { number in
        var details = WatchedRun.Details(
          workload.label(of: number),
          at: executing[number].map { control.roster.name(of: $0.worker, watch) } ?? "",
          expected: progress.expected(of: number),
          last: lastLines.withLock { $0.line(of: number) }
        )
        details.ending = endings[number].map { Standing.Ending($0, at: now) }
        return details
      }
      askLastLines(of: block.shownOperations, at: snapshot.elapsed)
      return lines
    }
    return ProgressText(lines, share: snapshot.share)
  }

  /// Asks the workers of shown operations what these have written last.
  private func askLastLines(of shown: [Int], at now: Int64) {
    for number in lastLines.withLock({ $0.due(among: shown, at: now) }) {
      control.engine.tail(of: number, TailRequest(byteCount: LastLines.byteCount)) { [weak self] in
        let outputs = $0
        self?.lastLines.withLock { $0.take(outputs, of: number) }
      }
    }
  }

  private func watched(
    _ snapshot: ProgressSnapshot,
    _ executing: [Int: RunProgress.Execution],
    _ watch: RunWatch,
    _ size: Terminal.Size
  ) -> WatchedRun {
    let places = control.places()
    let facts = SlotFacts(of: workload, control, executing, places.map(\.state), gate)
    var run = WatchedRun(snapshot, facts)
    run.skipped = watch.skipped
    run.failures = watch.failures
    run.executions = executing.map { number, execution in
      WatchedRun.Execution(number, for: snapshot.elapsed - execution.start.nanoseconds)
    }
    if size.columns >= LiveBlock.wideColumns {
      run.shares =
        workload.groupCount > 0
        ? watch.groups : control.roster.shares(executing, watch, of: places)
    }
    return run
  }
}

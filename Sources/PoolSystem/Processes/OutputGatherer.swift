import CPoolSystem
package import PoolModel
import Synchronization

/// Gathers the outputs of one command after the other, on the thread that waits for their ends.
///
/// Each command gets new pipes: a process may have passed a descriptor on, so that no pipe is
/// certainly free again. Only for a process whose threads all block SIGCHLD, or whose other
/// children need not be waited for.
///
/// `@unchecked Sendable`: only the thread that executes commands uses it.
package final class OutputGatherer: @unchecked Sendable {
  private let events: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
  @exclusivity(unchecked) private var pace = GatheringPace()
  @exclusivity(unchecked) private var output: GatheredOutput?
  @exclusivity(unchecked) private var error: GatheredOutput?
  /// Whether a pipe of a command that prints much may be widened.
  private let widens: Bool
  /// What other threads want to know of the outputs so far, and whether there is any of it.
  private let questions = Mutex<[@Sendable (OutputGatherer) -> Void]>([])
  private let isAsked = Atomic(false)
  private static let questionLimit = 64

  package init(widens: Bool) throws(SystemFailure) {
    self.widens = widens
    events = opool_open_child_events()
    if events < 0 { throw .last("signalfd") }
  }

  deinit {
    Descriptors.close(events)
    buffer.deallocate()
  }

  /// Makes the pipes of a command, of whose outputs no more than the limits is kept; returns its
  /// ends.
  package func begin(_ limits: OutputLimits?) throws(SystemFailure) -> (output: Int32, error: Int32)
  {
    if widens { pace.begin(widestPipe: Int(SystemIO.widestPipe)) } else { pace.begin() }
    var first = try GatheredOutput(
      limits?.output ?? .none,
      isWide: widens && pace.expectsFlood
    )
    do throws(SystemFailure) {
      let second = try GatheredOutput(limits?.error ?? .none)
      (output, error) = (first, second)
      return (first.writeEnd, second.writeEnd)
    } catch {
      first.discard()
      throw error
    }
  }

  /// The command was started, and has its own ends.
  package func closeWriteEnds() {
    output?.closeWriteEnd()
    error?.closeWriteEnd()
  }

  /// The command was not started.
  package func discard() {
    output?.discard()
    error?.discard()
    (output, error) = (nil, nil)
  }

  /// Waits for the command's end, and takes its outputs meanwhile.
  ///
  /// With a subreaper, orphans that end meanwhile are reaped. The first closure is called each time
  /// that a signal has stopped the command; the second once, when an output has more bytes than the
  /// operation allows, and was closed.
  package func wait(
    for process: CommandProcess,
    reapingOrphans: Bool,
    stopped: (ProcessSignal) -> Void,
    closed: () -> Void
  ) {
    LockWatch.assertUnlocked()
    var hasClosed = false
    while true {
      if pace.pause > 0 { opool_await_child_event(events, pace.pause) }
      if process.takeEnd(reapingOrphans: reapingOrphans, stopped: stopped) { return }
      if isAsked.load(ordering: .relaxed) { answer() }
      let count = drain()
      if isForbidden, !hasClosed {
        hasClosed = true
        closed()
      }
      guard pace.look(finding: count) else { continue }
      let ends = ends
      if opool_await_output(events, ends.output, ends.error, -1) != 0 { pace.childChanged() }
    }
  }

  /// Takes the rest of the outputs after the command's end: up to their ends, or as long as the
  /// grace allows; see ``OutputGrace``.
  package func finish(
    within grace: Int64,
    isWanted: () -> Bool,
    isBusy: () -> Bool
  ) {
    OutputGrace.spend(
      grace,
      on: { ends },
      isWanted: isWanted,
      isBusy: isBusy,
      read: {
        let count = drain()
        pace.finish(finding: count)
        return count
      }
    )
  }

  /// Forgets the outputs if both have ended and nothing was written to them; returns whether it
  /// does, as after most commands.
  package func takeNothing() -> Bool {
    guard output?.isEmpty == true, error?.isEmpty == true else { return false }
    (output, error) = (nil, nil)
    return true
  }

  /// The outputs, and the pipes that processes still have open, which the caller closes.
  package func take() -> (output: GatheredContent, error: GatheredContent, open: [Int32]) {
    guard var output, var error else { preconditionFailure("outputs are taken once") }
    (self.output, self.error) = (nil, nil)
    let open = [output.takeReadEnd(), error.takeReadEnd()].compactMap(\.self)
    return (output.take(), error.take(), open)
  }

  /// Whether an output has more bytes than the operation allows.
  private var isForbidden: Bool { output?.isForbidden == true || error?.isForbidden == true }

  private var ends: (output: Int32, error: Int32) {
    (output?.readEnd ?? -1, error?.readEnd ?? -1)
  }

  private func drain() -> Int {
    (output?.drain(buffer, widens: widens) ?? 0) + (error?.drain(buffer, widens: widens) ?? 0)
  }
}

// MARK: - Outputs so far

extension OutputGatherer {
  /// Calls the closure soon on the thread that waits for a command, any time later if none does.
  ///
  /// Any thread may call this.
  package func ask(_ question: @escaping @Sendable (OutputGatherer) -> Void) {
    questions.withLock { questions in
      // Those that wait for so long are about commands that have ended.
      if questions.count == Self.questionLimit { questions.removeFirst() }
      questions.append(question)
    }
    isAsked.store(true, ordering: .releasing)
    // That thread waits for the ends of children, and for what they write.
    ProcessSignal.childEnded.send(toProcess: CurrentProcess.identifier)
  }

  private func answer() {
    isAsked.store(false, ordering: .relaxed)
    _ = drain()
    let questions = questions.withLock { questions in
      defer { questions = [] }
      return questions
    }
    for question in questions { question(self) }
  }

  /// What the command has written so far; only for the thread that waits for it.
  package func written(_ request: TailRequest) -> WrittenOutputs {
    WrittenOutputs(
      output: output?.piece(request.byteCount, from: request.output) ?? WrittenPiece(),
      error: error?.piece(request.byteCount, from: request.error) ?? WrittenPiece()
    )
  }
}

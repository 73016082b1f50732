package import PoolAnalysis
import PoolEvents
import PoolModel
package import PoolSystem
import PoolText
import PoolWire

/// A recorded run in the trace event format of Chrome, which Perfetto and chrome://tracing show.
///
/// Each place of workers is a process with a thread for each slot, on which an attempt is a slice.
/// The process `run` has counters, and the chain that decided how long the run took. Times are
/// whole microseconds: so no slice begins before the one before it has ended.
package struct TraceReport {
  private let history: RunHistory
  private let omissions: PageOptions.Omissions
  private let ready: [Instant?]
  private let lanes: SlotLanes
  private let places: TracePlaces

  /// Prepares the trace of a run; O(*n* log *n*).
  package init(_ history: RunHistory, _ omissions: PageOptions.Omissions) {
    (self.history, self.omissions) = (history, omissions)
    ready = ReadyTimes.of(history)
    lanes = SlotLanes(history)
    places = TracePlaces(history, omissions)
  }

  /// Passes the text of the trace to the closure, in pieces of about a megabyte.
  package func write(
    by take: @escaping ([UInt8]) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    var writer = TraceWriter(take)
    try writer.begin { append(head: &$0) }
    try appendNames(to: &writer)
    try TraceCounters(history, ready).append(to: &writer)
    try appendChain(to: &writer)
    let slots = TraceSlots(history, lanes, places)
    for slot in slots.slots {
      try writer.name(slot.track, "slot \(slot.lane + 1)", place: slot.lane)
      try append(slot, to: &writer)
    }
    try writer.end()
  }

  private var hidesOutputs: Bool { omissions.contains(.outputs) }
  private var hidesCommands: Bool { omissions.contains(.commands) }

  // MARK: The run

  /// Facts of the whole run.
  private func append(head writer: inout JSONWriter) {
    writer.field("program", "opool")
    if let began = history.began {
      writer.optional("version", began.version) { $0.visible(Array($1.utf8)) }
      writer.key("startedAt")
      writer.string(DateFormat.utc(began.start))
      writer.optional("host", began.host) { $0.visible($1) }
      if let arguments = began.arguments, !hidesCommands {
        writer.key("command")
        writer.visible(ShellQuoting.line([Array("opool".utf8)] + arguments), limit: 2_000)
      }
    }
    writer.optional("exitCode", history.exitCode) { $0.integer($1) }
  }

  private func appendNames(to writer: inout TraceWriter) throws(SystemFailure) {
    try writer.name(process: TraceTrack.run, "run")
    for (place, name) in places.names.enumerated() {
      try writer.name(process: TraceTrack.process(ofPlace: place), name)
    }
  }

  /// The attempts of the chain, and between them what the next one had waited for last.
  private func appendChain(to writer: inout TraceWriter) throws(SystemFailure) {
    let chain = DecidingChain.of(history, lanes, ready: ready)
    guard !chain.isEmpty else { return }
    try writer.name(.chain, "why it took that long", place: 0)
    var end = 0
    for step in chain {
      let operation = history.operations[step.operation]
      let attempt = operation.attempts[step.attempt]
      let reason = Array(ReportWording.reason(step.reason).utf8)
      // The clocks of two processes differ by a little.
      let start = max(TraceTime.micro(step.started), end)
      let gap = start - end
      if gap >= Self.visibleGap {
        try writer.slice("waiting", "waiting", on: .chain, from: end, to: start) {
          $0.key("for")
          $0.visible(reason)
        }
      }
      end = max(TraceTime.micro(step.finished), start)
      try writer.slice(operation.id, groupName(of: operation), on: .chain, from: start, to: end) {
        $0.field("attempt", attempt.number)
        $0.key("after")
        $0.visible(reason)
        $0.field("waited", seconds: Int64(gap) * 1_000)
        $0.field("slot", lanes[attempt.workerPlace] + 1)
      }
    }
  }

  /// Microseconds above which the chain shows that nothing of it executed.
  private static let visibleGap = 1_000

  // MARK: Slots

  /// The attempts of a slot, and the deaths of its workers, in the order of time.
  private func append(
    _ slot: TraceSlots.Slot,
    to writer: inout TraceWriter
  ) throws(SystemFailure) {
    var deaths = slot.deaths[...]
    for slice in slot.slices {
      while let death = deaths.first, death.time < slice.start {
        try append(death, on: slot.track, to: &writer)
        deaths.removeFirst()
      }
      try append(slice, on: slot.track, to: &writer)
    }
    for death in deaths { try append(death, on: slot.track, to: &writer) }
  }

  private func append(
    _ slice: TraceSlots.Slice,
    on track: TraceTrack,
    to writer: inout TraceWriter
  ) throws(SystemFailure) {
    let operation = history.operations[slice.operation]
    let attempt = operation.attempts[slice.attempt]
    try writer.slice(
      operation.id,
      groupName(of: operation),
      on: track,
      from: slice.start,
      to: slice.end,
      colour: Self.colour(of: attempt)
    ) { writer in
      writer.field("attempt", attempt.number)
      writer.key("outcome")
      writer.string(attempt.ending?.name ?? "unfinished")
      writer.field("worker", attempt.worker.rawValue)
      writer.optional("ready", seconds: readyTime(slice)?.nanoseconds)
      writer.optional("processorTime", seconds: attempt.processorTime)
      writer.optional("peakMemory", attempt.usage?.peakMemoryBytes) { $0.integer($1) }
      if operation.submitted.slots > 1 { writer.field("slots", operation.submitted.slots) }
      if !hidesCommands {
        writer.optional("command", operation.submitted.description.command) {
          $0.visible($1, limit: Self.commandLimit)
        }
      }
      if !hidesOutputs {
        writer.optional("message", attempt.message) { $0.visible(Array($1.utf8), limit: 1_000) }
        writer.optional("retry", attempt.retry?.reason) { $0.visible(Array($1.utf8), limit: 1_000) }
      }
    }
  }

  /// Bytes of a command that an attempt shows.
  private static let commandLimit = 300

  /// When an attempt could have begun: for a repeated one, when it was due.
  private func readyTime(_ slice: TraceSlots.Slice) -> Instant? {
    guard slice.attempt > 0 else { return ready[slice.operation] }
    let last = history.operations[slice.operation].attempts[slice.attempt - 1]
    return last.retry?.due ?? last.finished
  }

  private func append(
    _ death: TraceSlots.Death,
    on track: TraceTrack,
    to writer: inout TraceWriter
  ) throws(SystemFailure) {
    let worker = history.workers[death.worker]
    try writer.instant("worker \(worker.id.rawValue) died", on: track, at: death.time) {
      if let process = worker.process { $0.field("process", process) }
      $0.optional("manner", worker.manner) { $0.visible(Array($1.utf8)) }
      if !hidesOutputs {
        $0.optional("message", worker.message) { $0.visible(Array($1.utf8), limit: 1_000) }
      }
    }
  }

  private func groupName(of operation: HistoricOperation) -> [UInt8] {
    let place = operation.submitted.group.flatMap { history.groupPlace(of: $0) }
    return place.map { history.groups[$0].id } ?? Array("operation".utf8)
  }

  /// One of the names of colours that chrome://tracing knows; nil for its own choice by name.
  private static func colour(of attempt: HistoricAttempt) -> StaticString? {
    if attempt.retry != nil { return "bad" }
    return switch attempt.ending {
    case .succeeded: nil
    case .failed, .timedOut, .lost: "terrible"
    case .cancelled, .skipped, nil: "grey"
    }
  }
}

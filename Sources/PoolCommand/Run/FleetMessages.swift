import OperationPool
import PoolCore
import PoolInputs
import PoolModel
import PoolReports
import PoolSystem
import Synchronization

/// Tells people of workers: their starts, deaths and kinds; and lets a run begin once it is known
/// that every kind is served.
final class FleetMessages: Sendable {
  private struct State {
    /// The message about a shortage of workers, until it is known whether any can be started.
    var shortage = ShortageMessage()
    /// Messages of workers with an unknown type.
    var unknown = RepeatedMessages()
    /// Workers that could not be started, or broke the protocol.
    var deaths = RepeatedDeaths()
    /// Lines that standard workers have written about themselves.
    var workerLines: Set<[UInt8]> = []
    /// Whether operations may run: only after it is known that every kind is served.
    var isChecked = false
  }

  private let workload: any Workload
  private let options: SharedOptions
  private let control: RunControl
  private let messages: RunMessages
  private let state = Mutex(State())

  init(
    _ workload: any Workload,
    _ options: SharedOptions,
    _ control: RunControl,
    _ messages: RunMessages
  ) {
    (self.workload, self.options) = (workload, options)
    (self.control, self.messages) = (control, messages)
  }

  /// The lines for the end of the run about workers that were only counted.
  var deathLines: [String] { state.withLock { $0.deaths.lines } }

  func tell(_ event: FleetEvent) {
    switch event {
    case .wrote(_, let bytes):
      if options.verbosity != .quiet, isNews(bytes) { messages.remark(bytes) }
    case .greeted(let worker, let known):
      if let line = state.withLock({ $0.shortage.greeted() }) { messages.say(line, always: true) }
      if !known.noise.isEmpty {
        let bytes = Plural.of(known.noise.count, "byte")
        messages.say("worker \(worker) wrote \(bytes) before it greeted: \(quoted(known.noise))")
      }
    case .measured(let worker, let host, let roundTrip):
      guard options.verbosity == .verbose else { return }
      let name = host.map { " on \($0)" } ?? ""
      messages.say("worker \(worker)\(name) answers after \(Printable.seconds(roundTrip))")
    case .unknownMessage(let worker, let type):
      guard state.withLock({ $0.unknown.add(type, from: worker) }) else { return }
      messages.say(
        "worker \(worker) sent a message of unknown type '\(Printable.text(type))'; skipped"
      )
    case .died(let death):
      for line in state.withLock({ $0.unknown.take(of: death.worker) }) { messages.say(line) }
      tell(of: death)
      checkFleet()
    case .announced:
      checkFleet()
    case .metShortage(let configuration, let death):
      let reason = place(of: configuration) + (death.map { text(of: $0) + "; " } ?? "")
      let line = reason + outlook(of: configuration)
      let isOwnLimit = death?.shortage == .ofOwnDescriptors
      if state.withLock({ $0.shortage.metShortage(line, isOwnLimit: isOwnLimit) }) {
        messages.say(line, always: true)
      }
    case .ended: break
    case .reopened(let configuration):
      messages.say("\(place(of: configuration))workers are tried again", always: true)
    case .gaveUp(let configuration, let death, let serving):
      let reason = death.map { ": " + text(of: $0) } ?? ""
      let fact = serving > 0 ? "no more workers are started" : "workers cannot be kept alive"
      let advice = death.flatMap { self.advice(after: $0) }.map { "; \($0)" } ?? ""
      state.withLock { $0.shortage.gaveUp() }
      messages.say("\(place(of: configuration))\(fact)\(reason)\(advice)", always: true)
      if options.verbosity == .quiet, let tail = death?.errorTail, !tail.isEmpty {
        messages.printer.say(tail)
      }
      checkFleet()
    }
  }

  /// What the user can do where this process has too many open files, or a worker needs longer.
  private func advice(after death: PoolWorkerDeath) -> String? {
    if death.manner == .neverGreeted { return GreetingWait.advice }
    guard death.shortage == .ofOwnDescriptors else { return nil }
    return "the limit on open files is \(Descriptors.limit); raise it (ulimit -n)"
  }

  /// Says which workers are waited for, if that lasts.
  func tellWait(_ greetings: inout GreetingWait, at now: Int64) {
    let places = control.places { "\($0.text): " }.map(\.state)
    let isKnown = control.engine.isKnown(control.fleet)
    if let message = greetings.message(at: now, places, isKnown: isKnown) { messages.say(message) }
  }

  /// Whether a worker's line about a shortage is new; each worker repeats it.
  private func isNews(_ bytes: [UInt8]) -> Bool {
    guard options.verbosity != .verbose, bytes.count < 256, bytes.starts(with: Self.workerMark)
    else { return true }
    return state.withLock { $0.workerLines.count >= 64 || $0.workerLines.insert(bytes).inserted }
  }

  /// The start of lines of the standard worker.
  private static let workerMark = Array("opool-worker: ".utf8)

  /// A death in words, which include words of the worker.
  private func text(of death: PoolWorkerDeath) -> String {
    Printable.text(String(describing: death))
  }

  /// What becomes of a configuration that has met a shortage, or lost its link.
  private func outlook(of configuration: ConfigurationID) -> String {
    // There are none where the fleet is gone.
    let place = control.places().first { $0.configuration == Int(configuration.rawValue) }
    guard let time = place?.state.restartsIn else {
      return "fewer operations execute at once, and opool will try again"
    }
    return "none of them is left; they are tried again in \(Printable.seconds(time)), "
      + "and later each time"
  }

  /// The option that asked for the workers of a configuration, and a colon; empty for standard
  /// workers.
  private func place(of configuration: ConfigurationID) -> String {
    control.roster.request(of: Int(configuration.rawValue)).map { "\($0.text): " } ?? ""
  }

  private func tell(of death: PoolWorkerDeath) {
    let isFault = death.violation != nil || death.spawnFailure != nil
    let isError = isFault && death.shortage == nil && control.earlyExitCode == nil
    if options.verbosity == .verbose {
      messages.say(text(of: death))
    } else if isError, state.withLock({ $0.deaths.add(Printable.text(death.fact)) }) {
      messages.say(text(of: death), always: true)
    } else if !death.doubt.isEmpty {
      messages.say(text(of: death), always: true)
    }
  }

  /// Runs as soon as every kind is served; ends the run if all workers have announced their kinds,
  /// and one is not.
  private func checkFleet() {
    let isChecked = state.withLock { $0.isChecked }
    guard !isChecked else { return }
    guard control.engine.isKnown(control.fleet) else {
      // Others may be slow to greet, or never do.
      if control.engine.areServed(workload.kinds, by: control.fleet) {
        control.resume(for: .fleet)
      }
      return
    }
    state.withLock { $0.isChecked = true }
    let missing = control.engine.unservedKinds(among: workload.kinds, by: control.fleet)
    guard missing.isEmpty else { return refuse(missing) }
    control.resume(for: .fleet)
  }

  /// Reports the operations whose kind is not served, and ends the run, in which nothing has run.
  private func refuse(_ kinds: Set<ConstrainedKind>) {
    let errors = UnservedKinds.errors(in: workload, where: kinds.contains)
    for line in errors.lines(file: workload.file ?? Array("-".utf8)) {
      messages.printer.say(Array((line + "\n").utf8))
    }
    control.end(as: .manifest)
  }

  private func quoted(_ bytes: [UInt8]) -> String {
    "“\(Printable.text(bytes.prefix(80)))”"
  }
}

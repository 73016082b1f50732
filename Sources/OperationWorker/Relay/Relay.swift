import PoolModel
import PoolSystem
import PoolWire

/// Workers of this machine whose streams go over one connection.
///
/// Each is a process of its own, with a conversation of its own, started when the coordinator asks
/// for it: what ends one of them hits no other. The relay knows nothing of what they say. If its
/// own streams end, or this process, so do they.
package final class Relay {
  /// The largest number of workers at once.
  package static let slotLimit = 1_024
  /// How long the workers have, after the connection has ended, before they are killed: 2 s.
  private static let farewell = Int64.seconds(2)
  /// How long it waits without a worker: 300 s.
  ///
  /// A broken connection may look like a silent one: its workers end with their leases, and it must
  /// not stay.
  private static let patience = Int64.seconds(300)

  private let pump: RelayPump
  private let command: [[UInt8]]
  private let environment: ProcessEnvironment
  private let slots: Int
  private var launcher = CommandLauncher()
  private var workers: [UInt16: RelayedWorker] = [:]
  /// When it ends, while it has no worker.
  private var end = MonotonicClock.time(in: patience)

  /// Number of slots in a word, `auto` for as many as this process may use processors; nil for
  /// another word.
  static func slotCount(_ word: [UInt8]) -> Int? {
    if word == Array("auto".utf8) { return min(Processors.available, slotLimit) }
    return Int(String(decoding: word, as: UTF8.self))
      .flatMap { (1...slotLimit).contains($0) ? $0 : nil }
  }

  /// Carries the streams of at most so many workers, each started by the command, until the
  /// connection ends, which is this process's standard input and output.
  ///
  /// Without a command they are of this program, `opool-worker`; others are guarded by it. Throws
  /// ``PoolWorkerError`` if the system lacks something that the relay itself needs, and if the
  /// coordinator has sent what it may not.
  package static func serve(slots: Int, command: [[UInt8]]) throws(PoolWorkerError) {
    let program = Array((CurrentProcess.executable ?? "opool-worker").utf8)
    let guarded = ["launch", "--parent=\(CurrentProcess.identifier)", "--"].map { Array($0.utf8) }
    try serve(
      slots: slots,
      workers: command.isEmpty ? [program] : [program] + guarded + command,
      environment: .current
    )
  }

  /// The same for workers of this program, whatever it is, if its arguments ask for it: with
  /// `--slots=K` among them, it starts itself with all others; returns whether they do.
  static func serveIfAsked() throws(PoolWorkerError) -> Bool {
    let mark = Array("--slots=".utf8)
    let arguments = CurrentProcess.arguments
    guard let place = arguments.firstIndex(where: { $0.starts(with: mark) }),
      let slots = slotCount(Array(arguments[place].dropFirst(mark.count))),
      let program = CurrentProcess.executable
    else { return false }
    var environment = ProcessEnvironment.current
    environment.set([(name: Array(WorkerVariable.name.utf8), value: Array("1".utf8))])
    let rest = arguments[..<place] + arguments[(place + 1)...]
    try serve(slots: slots, workers: [Array(program.utf8)] + rest, environment: environment)
    return true
  }

  private static func serve(
    slots: Int,
    workers command: [[UInt8]],
    environment: ProcessEnvironment
  ) throws(PoolWorkerError) {
    let relay: Relay
    do throws(SystemFailure) {
      let streams = try StandardStreams.take()
      ProcessSignal.pipe.ignore()
      if ProcessSignal.childEnded.isIgnored { ProcessSignal.childEnded.reset() }
      // What a worker leaves that dies with its guardian comes here.
      Adoption.begin()
      // If the parent has already gone, the end of the input will end this process.
      _ = DeathSignal.arm(.terminate, parent: CurrentProcess.parent)
      try greet(slots, streams.output)
      for descriptor in [streams.input, streams.output] {
        try Descriptors.setNonBlocking(descriptor)
      }
      relay = Relay(slots, command, environment, streams)
    } catch {
      throw .cannotStart(error)
    }
    relay.run()
    if let violation = relay.pump.violation {
      throw PoolWorkerError(.protocolViolation, "the coordinator \(violation)")
    }
  }

  private static func greet(_ slots: Int, _ output: Int32) throws(SystemFailure) {
    var hello = Hello(
      pid: CurrentProcess.identifier,
      kinds: [],
      slots: slots,
      isRelay: true
    )
    let host = String(decoding: MachineIdentity.hostName, as: UTF8.self)
    if !host.isEmpty { hello.host = host }
    var writer = JSONWriter()
    WorkerMessage.hello(hello).encode(into: &writer)
    try SystemIO.writeAll(output, Frame.magic + writer.bytes)
  }

  private init(
    _ slots: Int,
    _ command: [[UInt8]],
    _ environment: ProcessEnvironment,
    _ streams: StandardStreams
  ) {
    (self.slots, self.command, self.environment) = (slots, command, environment)
    pump = RelayPump(.relay, input: streams.input, output: streams.output)
  }

  private func run() {
    while !pump.isBroken {
      for event in pump.turn(nanoseconds: timeout) { handle(event) }
      for channel in workers.keys.sorted() { lookForEnd(of: channel) }
      if workers.isEmpty, MonotonicClock.now >= end { break }
    }
    endAll()
  }

  private var timeout: Int64? {
    if workers.isEmpty { return max(end - MonotonicClock.now, 0) }
    return workers.values.contains { $0.isUnwatched } ? .milliseconds(20) : nil
  }

  private func handle(_ event: RelayPump.Event) {
    switch event {
    case .opened(let channel): open(channel)
    case .signal(let channel, let number):
      workers[channel]?.send(ProcessSignal(number))
      pump.send(.signal(number), on: channel)
    case .ready(let channel):
      workers[channel]?.hasEnded = true
      pump.unwatch(channel)
    case .exited, .woken: break
    }
  }

  private func open(_ channel: UInt16) {
    guard workers[channel] == nil else { return pump.reject("a channel that is open") }
    guard workers.count < slots else {
      return refuse(channel, "this relay has \(slots) slots, and all are taken", code: 70)
    }
    do {
      let worker = try RelayedWorker(command, environment, &launcher)
      workers[channel] = worker
      pump.write(RelayPump.Key(channel, .input), to: worker.input)
      pump.read(worker.output, as: RelayPump.Key(channel, .output))
      pump.read(worker.error, as: RelayPump.Key(channel, .error))
      if let watched = worker.watched { pump.watch(watched, of: channel) }
    } catch {
      let isShortage =
        (error as? SpawnFailure)?.isShortage ?? (error as? SystemFailure)?.isShortage ?? false
      refuse(channel, "\(error)", code: isShortage ? PoolExitStatus.shortageCode : 71)
    }
  }

  /// The worker of a channel could not be started.
  private func refuse(_ channel: UInt16, _ reason: String, code: Int32) {
    let text = Array("opool-worker: \(reason)\n".utf8.prefix(RelayFrame.dataLimit))
    pump.close(channel)
    pump.send(.data(.error, text), on: channel)
    pump.send(.exit(.exited(code)), on: channel)
  }

  /// If a worker has ended and all that it has written is sent, says how.
  private func lookForEnd(of channel: UInt16) {
    guard let worker = workers[channel], worker.hasEnded || worker.isUnwatched && worker.isGone
    else { return }
    worker.hasEnded = true
    // What it has started may have them open, and has nothing to say on them.
    let streams = [RelayStream.output, .error].map { RelayPump.Key(channel, $0) }
    guard streams.allSatisfy({ pump.finishReading($0) }) else { return }
    workers[channel] = nil
    let others = Set(workers.values.map(\.identifier))
    let status = worker.reap(beside: others)
    pump.close(channel)
    pump.send(.exit(status), on: channel)
    end = MonotonicClock.time(in: Self.patience)
  }

  /// The connection has ended: the workers end with their inputs, or are killed.
  private func endAll() {
    for channel in workers.keys { pump.close(channel) }
    let deadline = MonotonicClock.now + Self.farewell
    var living = Array(workers.values)
    while !living.isEmpty, MonotonicClock.now < deadline {
      living.removeAll(where: \.isGone)
      if !living.isEmpty { MonotonicClock.sleep(nanoseconds: .milliseconds(5)) }
    }
    for worker in living { worker.send(.kill) }
    // Each guardian ends as soon as nothing of its worker lives.
    for worker in living { _ = worker.reap(beside: []) }
  }
}

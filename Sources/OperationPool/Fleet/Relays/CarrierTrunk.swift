import OperationWorker
import PoolModel
import PoolSystem
import PoolWire

/// The thread of a ``RelayCarrier``.
///
/// `@unchecked Sendable`: only that thread uses it, after it was made.
final class CarrierTrunk: @unchecked Sendable {
  private struct Channel {
    let process: RelayedProcess
    let ended: RelayCarrier.Ended
  }

  /// A link that has not carried anything since a worker was to be killed.
  private struct Doubt {
    let received: UInt64
    let end: Int64
  }

  /// How long a link may carry nothing after a worker was to be killed, and a relay may live after
  /// its last worker: 2 s.
  private static let patience = Int64.seconds(2)
  /// The number of the text of the process itself, among those of channels.
  private static let ownText: UInt16 = 0

  private let process: any WorkerProcess
  private let pump: RelayPump
  private var channels: [UInt16: Channel] = [:]
  private var isGreeted: Bool
  private var doubt: Doubt?
  /// When the process is killed, after its last worker.
  private var closing: Int64?
  /// How it has ended.
  private var status: PoolExitStatus?
  /// The last worker, which has ended when the process has.
  private var last: (number: UInt16, channel: Channel, ending: RelayedProcess.Ending)?
  private var isInputOpen = true

  init(_ process: any WorkerProcess, isGreeted: Bool, wakeUp: WakePipe) {
    (self.process, self.isGreeted) = (process, isGreeted)
    pump = RelayPump(
      input: process.output,
      output: process.input,
      wakeUp: wakeUp.descriptor,
      expectsGreeting: !isGreeted
    )
    pump.watch(process.error, of: Self.ownText)
  }

  func run(for carrier: RelayCarrier) {
    while status == nil {
      for event in pump.turn(nanoseconds: timeout) { handle(event, carrier) }
      if !isGreeted, let hello = pump.hello {
        isGreeted = true
        carrier.note(hello)
      }
      if pump.isBroken, last == nil { breakOff() }
      checkTimes()
    }
    finish(carrier)
  }

  private var timeout: Int64? {
    let due = [doubt?.end, closing].compactMap { $0 }.min()
    return due.map { max($0 - MonotonicClock.now, 0) }
  }

  private func checkTimes() {
    let now = MonotonicClock.now
    if let doubt, doubt.received != pump.received { self.doubt = nil }
    if let doubt, now >= doubt.end { breakOff() }
    if let closing, now >= closing { breakOff() }
  }

  /// Ends the process, whose end is then reported.
  private func breakOff() {
    guard closing != .max else { return }
    (doubt, closing) = (nil, .max)
    process.kill(with: nil)
  }

  private func handle(_ event: RelayPump.Event, _ carrier: RelayCarrier) {
    switch event {
    case .woken: for request in carrier.takeRequests() { perform(request) }
    case .exited(let channel, let status): end(channel, status, carrier)
    case .ready: readOwnText()
    case .opened, .signal, .ended: break
    }
  }

  private func perform(_ request: RelayCarrier.Request) {
    switch request {
    case .open(let process, let theirs, let channel, let ended):
      channels[channel] = Channel(process: process, ended: ended)
      pump.read(theirs[0], as: RelayPump.Key(channel, .input))
      pump.write(RelayPump.Key(channel, .output), to: theirs[1])
      pump.write(RelayPump.Key(channel, .error), to: theirs[2])
      pump.send(.open, on: channel)
    case .signal(let channel, let number):
      guard channels[channel] != nil else { return }
      pump.send(.signal(number), on: channel)
      guard number == ProcessSignal.kill.number, doubt == nil else { return }
      doubt = Doubt(received: pump.received, end: MonotonicClock.now + Self.patience)
    case .ended(let status): self.status = status
    }
  }

  /// A worker has ended, says the relay.
  private func end(_ number: UInt16, _ status: PoolExitStatus, _ carrier: RelayCarrier) {
    guard let channel = channels.removeValue(forKey: number) else { return }
    let ending = RelayedProcess.Ending(
      status: status,
      isProved: true,
      output: pump.rest(of: RelayPump.Key(number, .output)),
      error: pump.rest(of: RelayPump.Key(number, .error))
    )
    guard carrier.noteEnded() else { return tell(ending, number, channel) }
    // Whoever waits for the last worker waits for the process, too.
    last = (number, channel, ending)
    pump.flush()
    pump.breakOff()
    closeInput()
    closing = MonotonicClock.now + Self.patience
  }

  private func tell(_ ending: RelayedProcess.Ending, _ number: UInt16, _ channel: Channel) {
    channel.process.end(ending)
    pump.close(number)
    channel.ended(ending.status)
  }

  /// What the process itself prints is the text of its first worker.
  private func readOwnText() {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
      switch process.read(process.error, into: buffer) {
      case .bytes(let count):
        guard let first = channels.keys.min() else { return }
        pump.add(Array(buffer[..<count]), to: RelayPump.Key(first, .error))
      case .wouldBlock: break
      case .endOfFile: pump.unwatch(Self.ownText)
      }
    }
  }

  /// The process has ended: what it has sent before is read, and all its workers are gone or out of
  /// reach.
  private func finish(_ carrier: RelayCarrier) {
    carrier.close()
    while !pump.isBroken {
      let before = pump.received
      for event in pump.turn(nanoseconds: 0) { handle(event, carrier) }
      if pump.received == before { break }
    }
    readOwnText()
    for request in carrier.takeRequests() { perform(request) }
    let status = status ?? .exited(255)
    if let last { tell(last.ending, last.number, last.channel) }
    for (number, channel) in channels.sorted(by: { $0.key < $1.key }) {
      let ending = RelayedProcess.Ending(
        status: status,
        isProved: false,
        output: pump.rest(of: RelayPump.Key(number, .output)),
        error: pump.rest(of: RelayPump.Key(number, .error))
      )
      tell(ending, number, channel)
    }
    for descriptor in [process.output, process.error] { Descriptors.close(descriptor) }
    closeInput()
  }

  private func closeInput() {
    if isInputOpen { Descriptors.close(process.input) }
    isInputOpen = false
  }
}

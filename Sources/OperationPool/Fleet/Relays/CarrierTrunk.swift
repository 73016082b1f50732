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

  /// How long a link may carry nothing after a worker was to be killed, a relay may live after its
  /// last worker, and all of its workers may live after each was to be killed: 2 s.
  private static let patience = Int64.seconds(2)
  /// How long one of its workers may live after it was to be killed, while others execute: 15 s.
  private static let killPatience = Int64.seconds(15)
  /// How often a process is killed again that was killed and has not ended.
  private static let insistence = Int64.seconds(1)
  /// How long all that is to be sent may take before this process is stopped: 250 ms.
  private static let flushLimit = Int64.milliseconds(250)
  /// The number of the text of the process itself, among those of channels.
  private static let ownText: UInt16 = 0

  private let process: any WorkerProcess
  private let pump: RelayPump
  private var channels: [UInt16: Channel] = [:]
  private var isGreeted: Bool
  private var doubt: Doubt?
  /// When each worker was first to be killed that has not ended.
  private var kills: [UInt16: Int64] = [:]
  /// When the process is killed, after its last worker, or killed again.
  private var closing: Int64?
  private var isCut = false
  /// How it has ended.
  private var status: PoolExitStatus?
  /// The last worker, which has ended when the process has.
  private var last: (number: UInt16, channel: Channel, status: PoolExitStatus)?
  /// The standard error of the process itself, until its end.
  private var ownError: Int32?
  private var isInputOpen = true

  init(_ start: RelayCarrier.Start, wakeUp: WakePipe) {
    (process, isGreeted) = (start.process, start.isGreeted)
    ownError = start.isErrorOpen ? process.error : nil
    pump = RelayPump(
      .coordinator,
      input: process.output,
      output: process.input,
      wakeUp: wakeUp.descriptor,
      expectsGreeting: !isGreeted
    )
    if let ownError { pump.watch(ownError, of: Self.ownText) }
  }

  func run(for carrier: RelayCarrier) {
    while status == nil {
      for event in pump.turn(nanoseconds: timeout) { handle(event, carrier) }
      if !isGreeted, let hello = pump.hello {
        isGreeted = true
        carrier.note(hello)
      }
      if pump.isBroken, last == nil, !isCut { cut() }
      checkTimes()
    }
    finish(carrier)
  }

  private var timeout: Int64? {
    due.map { max($0 - MonotonicClock.now, 0) }
  }

  /// When the process is to be killed, or killed again; nil for not yet.
  private var due: Int64? { [doubt?.end, closing, killEnd].compactMap { $0 }.min() }

  /// When workers that were to be killed have had time enough to end: less if no other one would be
  /// hit.
  private var killEnd: Int64? {
    guard !isCut, let first = kills.values.min(), let latest = kills.values.max() else {
      return nil
    }
    return kills.count == channels.count
      ? latest + Self.patience : first + Self.killPatience
  }

  private func checkTimes() {
    let now = MonotonicClock.now
    if let doubt, doubt.received != pump.received { self.doubt = nil }
    if let due, now >= due { cut() }
  }

  /// Ends the process, whose end is then reported.
  private func cut() {
    if isCut { process.insist(on: process.pid) } else { process.kill(with: nil) }
    isCut = true
    (doubt, closing) = (nil, MonotonicClock.now + Self.insistence)
  }

  private func handle(_ event: RelayPump.Event, _ carrier: RelayCarrier) {
    switch event {
    case .woken: for request in carrier.takeRequests() { perform(request, carrier) }
    case .exited(let channel, let status): end(channel, status, carrier)
    case .ready: readOwnText()
    case .opened, .signal: break
    }
  }

  private func perform(_ request: RelayCarrier.Request, _ carrier: RelayCarrier) {
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
      guard number == ProcessSignal.kill.number, kills[channel] == nil, !isCut else { return }
      kills[channel] = MonotonicClock.now
      doubt = Doubt(received: pump.received, end: MonotonicClock.now + Self.patience)
    case .flush(let done):
      sendAll(carrier)
      done()
    case .ended(let status): self.status = status
    }
  }

  /// Takes turns until nothing is left in the pipes of workers and nothing waits to be sent, or for
  /// a limited time.
  private func sendAll(_ carrier: RelayCarrier) {
    let end = MonotonicClock.time(in: Self.flushLimit)
    var before: Int
    repeat {
      before = pump.queuedCount
      let pause: Int64 = pump.isSending ? .milliseconds(5) : 0
      for event in pump.turn(nanoseconds: pause) { handle(event, carrier) }
    } while (pump.isSending || pump.queuedCount != before) && !pump.isBroken
      && MonotonicClock.now < end
  }

  /// A worker has ended, says the relay.
  private func end(_ number: UInt16, _ status: PoolExitStatus, _ carrier: RelayCarrier) {
    guard let channel = channels.removeValue(forKey: number) else { return }
    kills[number] = nil
    guard carrier.noteEnd(of: number) else { return tell(channel, number, status, isProved: true) }
    // It counts as ended when the process has, so that a run leaves nothing behind.
    last = (number, channel, status)
    pump.flush()
    pump.breakOff()
    closeInput()
    closing = MonotonicClock.now + Self.patience
  }

  private func tell(
    _ channel: Channel,
    _ number: UInt16,
    _ status: PoolExitStatus,
    isProved: Bool
  ) {
    let ending = RelayedProcess.Ending(
      status: status,
      isProved: isProved,
      output: pump.rest(of: RelayPump.Key(number, .output)),
      error: pump.rest(of: RelayPump.Key(number, .error))
    )
    channel.process.end(ending)
    pump.close(number)
    channel.ended(status)
  }

  /// What the process itself prints is the text of its first worker; returns whether there was
  /// some.
  @discardableResult
  private func readOwnText() -> Bool {
    guard let ownError else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
      switch process.read(ownError, into: buffer) {
      case .bytes(let count):
        say(Array(buffer[..<count]))
        return true
      case .wouldBlock: return false
      case .endOfFile:
        pump.unwatch(Self.ownText)
        return false
      }
    }
  }

  private func say(_ text: [UInt8]) {
    guard let first = channels.keys.min() ?? last?.number else { return }
    pump.add(text, to: RelayPump.Key(first, .error))
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
    for request in carrier.takeRequests() { perform(request, carrier) }
    // Another process may have the pipe, and write on.
    var pieces = 0
    while pieces < 64, readOwnText() { pieces += 1 }
    if let violation = pump.violation { say(Array("opool: the relay \(violation)\n".utf8)) }
    if let last { tell(last.channel, last.number, last.status, isProved: true) }
    for (number, channel) in channels.sorted(by: { $0.key < $1.key }) {
      tell(channel, number, status ?? .exited(255), isProved: false)
    }
    Descriptors.close(process.output)
    if let ownError { Descriptors.close(ownError) }
    closeInput()
  }

  private func closeInput() {
    if isInputOpen { Descriptors.close(process.input) }
    isInputOpen = false
  }
}

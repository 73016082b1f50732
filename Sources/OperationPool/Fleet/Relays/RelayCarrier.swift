import OperationWorker
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// This side of a relay: carries the conversations with its workers over the streams of the one
/// process by which it is reached.
///
/// A thread of its own moves the bytes between those streams and the pipes of each worker, so that
/// to the loop these are workers like others.
final class RelayCarrier: Sendable {
  /// What the thread is to do.
  enum Request: Sendable {
    case open(RelayedProcess, theirs: [Int32], channel: UInt16, ended: Ended)
    case signal(UInt16, Int32)
    /// Send all that workers were told, and then call the closure.
    case flush(@Sendable () -> Void)
    /// The process by which the relay is reached has ended.
    case ended(PoolExitStatus)
  }

  typealias Ended = @Sendable (PoolExitStatus) -> Void

  private struct State {
    var requests: [Request] = []
    /// Maximum number of workers.
    var slots: Int
    /// The numbers of the workers that are open.
    var channels: Set<UInt16> = []
    var lastChannel: UInt16 = 0
    /// Whether no other worker can be opened.
    var isClosed = false

    var hasSlot: Bool { !isClosed && channels.count < slots }

    /// A number that no worker has.
    mutating func takeChannel() -> UInt16 {
      repeat {
        lastChannel = lastChannel == .max ? 1 : lastChannel + 1
      } while channels
        .contains(lastChannel)
      channels.insert(lastChannel)
      return lastChannel
    }
  }

  /// The process by which the relay is reached.
  let pid: Int32
  private let state: Mutex<State>
  private let wakeUp: WakePipe

  /// Carries workers over the streams of a process, once it is started.
  ///
  /// Until the relay has said it, it is believed to have so many slots.
  init(_ process: any WorkerProcess, slots: Int) throws(SystemFailure) {
    pid = process.pid
    state = Mutex(State(slots: slots))
    wakeUp = try WakePipe()
  }

  deinit {
    // Only of one that was never started.
    for case .open(_, let theirs, _, _) in state.withLock({ $0.requests }) {
      for descriptor in theirs { Descriptors.close(descriptor) }
    }
  }

  /// A process by which a relay is reached.
  struct Start {
    let process: any WorkerProcess
    /// Whether its greeting was read.
    var isGreeted = false
    /// Whether its standard error is open.
    var isErrorOpen = true
  }

  /// Takes the process over; if this throws, it is still the caller's.
  func start(_ start: Start) throws(SystemFailure) {
    let trunk = CarrierTrunk(start, wakeUp: wakeUp)
    try SystemThread.start(name: "opool-relay", mask: .full) { [self] in
      trunk.run(for: self)
    }.detach()
  }

  /// Opens a worker; nil if there is no slot for it.
  ///
  /// Calls `ended` once, on some thread.
  func open(ended: @escaping Ended) throws(SystemFailure) -> RelayedProcess? {
    guard state.withLock({ $0.hasSlot }) else { return nil }
    let pipes = try StreamPipes()
    let theirs = try pipes.takeTheirs()
    let process = state.withLock { state -> RelayedProcess? in
      guard state.hasSlot else { return nil }
      let channel = state.takeChannel()
      let process = RelayedProcess(channel, of: self, pipes.takeOurs())
      state.requests.append(.open(process, theirs: theirs, channel: channel, ended: ended))
      return process
    }
    if process == nil {
      for descriptor in theirs { Descriptors.close(descriptor) }
    } else {
      wakeUp.wake()
    }
    return process
  }

  /// Whether no other worker can be opened.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Signals a worker.
  func signal(_ channel: UInt16, by number: Int32) { request(.signal(channel, number)) }

  /// Waits until all that workers were told is on its way, at most so long.
  func flush(within nanoseconds: Int64) {
    let isDone = Monitor(false)
    request(
      .flush {
        isDone.withLock { $0 = true }
        isDone.broadcast()
      }
    )
    _ = isDone.wait(until: MonotonicClock.time(in: nanoseconds)) { !$0 }
  }

  /// The process by which the relay is reached has ended.
  func noteEnd(_ status: PoolExitStatus) { request(.ended(status)) }

  private func request(_ request: Request) {
    state.withLock { $0.requests.append(request) }
    wakeUp.wake()
  }

  // MARK: For the thread

  func takeRequests() -> [Request] {
    wakeUp.drain()
    return state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// The relay has greeted.
  func note(_ hello: Hello) { state.withLock { $0.slots = min(hello.slots, Relay.slotLimit) } }

  /// A worker has ended; returns whether it was the last one, and none is opened any more.
  func noteEnd(of channel: UInt16) -> Bool {
    state.withLock { state in
      state.channels.remove(channel)
      if state.channels.isEmpty { state.isClosed = true }
      return state.channels.isEmpty
    }
  }

  /// The connection is lost: no worker is opened any more.
  func close() { state.withLock { $0.isClosed = true } }
}

/// The relays of one worker configuration.
final class RelayCarriers: Sendable {
  private let all = Mutex<[RelayCarrier]>([])
  /// Number of slots that each of them has said it has.
  let slots: Int

  init(slots: Int) {
    self.slots = slots
  }

  /// Carries workers over the streams of a process; returns the first worker.
  ///
  /// If this throws, the process is still the caller's.
  func begin(
    on start: RelayCarrier.Start,
    ended: @escaping RelayCarrier.Ended
  ) throws -> (RelayCarrier, RelayedProcess) {
    let carrier = try RelayCarrier(start.process, slots: slots)
    guard let worker = try carrier.open(ended: ended) else {
      preconditionFailure("a new relay has a slot")
    }
    do throws(SystemFailure) {
      try carrier.start(start)
    } catch {
      worker.discard()
      throw error
    }
    all.withLock { $0.append(carrier) }
    return (carrier, worker)
  }

  /// Opens a worker behind a relay that has a slot for it; nil if none has.
  func open(ended: @escaping RelayCarrier.Ended) throws(SystemFailure) -> RelayedProcess? {
    let open = all.withLock { all in
      all.removeAll(where: \.isClosed)
      return all
    }
    for carrier in open {
      if let process = try carrier.open(ended: ended) { return process }
    }
    return nil
  }
}

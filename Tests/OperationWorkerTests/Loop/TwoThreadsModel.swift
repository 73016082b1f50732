import PoolModel
import PoolWire

@testable import OperationWorker

/// The worker's two threads as `CoordinatorConnection` has them, cut wherever another thread may
/// come in between; what they decide is the machine's own.
///
/// A thread that sleeps on the condition is woken by a broadcast alone.
struct TwoThreadsModel: ~Copyable {
  /// What comes from the coordinator.
  enum Message {
    /// An operation.
    case work
    /// The last operation is wanted back.
    case recall
    /// Anything that only needs to be heard.
    case request
    /// The worker is to end when it has executed everything.
    case drain
    /// The end of the input.
    case end
  }

  enum MainThread {
    case deciding, reading, writing, glancing, executing, glancingBack, asleep, returned
  }

  enum IOThread {
    case goingToSleep, asleep, looking, reading, returned
  }

  private(set) var machine = WorkerMachine()
  private(set) var input: [Message] = []
  private(set) var main = MainThread.deciding
  private(set) var io = IOThread.goingToSleep
  /// Looks of the I/O thread while there was input, and neither thread read it.
  private(set) var idleLooks = 0
  /// Whether the process has ended under an operation.
  private(set) var isExited = false
  /// The operations that were sent, and neither recalled nor begun.
  private(set) var open: [UInt64] = []
  /// Whether each operation has begun once, in order.
  private(set) var isInOrder = true
  private var number: UInt64 = 0

  init() throws {
    try machine.accept(Welcome(worker: WorkerID(rawValue: 1)))
  }

  var mainReads: Bool { main == .reading || isGlancing }

  private var isGlancing: Bool { main == .glancing || main == .glancingBack }

  /// Whether the main thread has an operation and does not read.
  private var isBusy: Bool { main == .writing || main == .executing || main == .deciding }

  /// Whether all was done, and both threads only wait for input, or have ended.
  var isQuiet: Bool {
    if isExited || main == .returned { return true }
    return input.isEmpty && open.isEmpty && (main == .reading || main == .asleep)
  }

  /// What the threads do contradicts the machine's state, if it does.
  var contradiction: String? {
    switch machine.state {
    case .reading where [.deciding, .reading, .asleep].contains(main) && io != .reading: nil
    case .waiting where [.deciding, .asleep].contains(main) && io == .reading: nil
    case .executing(_, .none) where isBusy:
      io == .reading ? "the I/O thread reads in .none" : nil
    case .executing(_, .main) where isGlancing && io != .reading: nil
    case .executing(_, .io) where isBusy:
      io == .reading ? nil : "no thread reads in .io"
    case .over: nil
    default: "the main thread is \(main), the I/O thread \(io), in \(machine.state)"
    }
  }

  mutating func send(_ message: Message) { input.append(message) }

  /// Takes in everything; false at the end of the input.
  private mutating func receive() throws -> Bool {
    let messages = input
    input = []
    idleLooks = 0
    for message in messages {
      switch message {
      case .work:
        number += 1
        open.append(number)
        try machine.prefetch([.numbered(number)])
      case .recall: if machine.recall(.numbered(number)) { open.removeAll { $0 == number } }
      case .request: break
      case .drain: machine.drain()
      case .end:
        if machine.endInput() != nil, !isGlancing { isExited = true }
        broadcast()
        return false
      }
    }
    return true
  }

  private mutating func broadcast() {
    if main == .asleep { main = .deciding }
    if io == .asleep { io = .goingToSleep }
  }
}

// MARK: - The main thread

extension TwoThreadsModel {
  /// Whether the main thread does anything, if it is let.
  var canMainStep: Bool {
    switch main {
    case .reading: !input.isEmpty
    case .asleep, .returned: false
    case .deciding, .writing, .glancing, .executing, .glancingBack: !isExited
    }
  }

  /// `writes` says whether the beginning of an operation is sent, or, if one has ended, whether
  /// the main thread glances at its input first.
  mutating func stepMain(writes: Bool) throws {
    switch main {
    case .executing where writes: main = machine.beginGlance() ? .glancingBack : .deciding
    case .deciding, .executing: decide(writes: writes)
    case .writing:
      main = machine.beginGlance() ? .glancing : .executing
      broadcast()
    case .glancing:
      if try receive() { machine.endGlance() }
      main = machine.ending == nil ? .executing : .deciding
    case .glancingBack:
      if try receive() { machine.endGlance() }
      main = .deciding
    case .reading:
      _ = try receive()
      main = .deciding
    case .asleep, .returned: break
    }
  }

  private mutating func decide(writes: Bool) {
    guard !machine.isMainWaiting else {
      main = .asleep
      return
    }
    let wasResting = machine.isIOThreadResting
    switch machine.next() {
    case .execute(let operation):
      isInOrder = isInOrder && open.first == operation.reference.dispatch.rawValue
      open = Array(open.dropFirst())
      main = writes ? .writing : .executing
      if wasResting { broadcast() }
    case .read: main = .reading
    case .wait: main = .deciding
    case .end: main = .returned
    }
  }
}

// MARK: - The I/O thread

extension TwoThreadsModel {
  /// Whether the I/O thread does anything, if it is let.
  var canIOStep: Bool {
    switch io {
    case .asleep, .returned: false
    case .reading: !input.isEmpty && !isExited
    case .goingToSleep, .looking: !isExited
    }
  }

  mutating func stepIO() throws {
    switch io {
    case .goingToSleep: io = machine.isIOThreadResting ? .asleep : .looking
    case .looking: look()
    case .reading:
      guard try receive() else {
        io = .looking
        return
      }
      if machine.keepsReading() { return }
      io = .looking
      broadcast()
    case .asleep, .returned: break
    }
  }

  private mutating func look() {
    if !input.isEmpty, main == .executing || main == .writing { idleLooks += 1 }
    io =
      switch machine.look() {
      case .pause: .looking
      case .rest: .goingToSleep
      case .read: .reading
      case nil: .returned
      }
  }
}

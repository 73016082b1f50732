import PoolModel
import PoolTestSupport
import PoolWire

@testable import OperationWorker

/// A worker's two threads, as `WorkerLoop` and `IOThread` have them, cut where another thread may
/// come in between; what they decide is the inbox's own.
struct ReadingModel {
  /// What comes from the coordinator.
  enum Message {
    /// An operation.
    case work
    /// The last operation is wanted back.
    case recall
    /// Anything that only needs to be heard.
    case request
  }

  enum Executor {
    case deciding
    case reading
    case beginning
    case glancing
    case dealt
    case ringing
    case executing
    case goingToWait
    case waiting
  }

  enum IOThread {
    case resting
    case looking
    case reading
    case dealt
    case calling(goesOn: Bool)
  }

  private(set) var inbox = WorkerInbox()
  private(set) var input: [Message] = []
  private(set) var executor = Executor.deciding
  private(set) var ioThread = IOThread.resting
  /// Looks of the I/O thread while something was there to be read and nobody's turn.
  private(set) var idleLooks = 0
  private var isCalled = false
  private var isWoken = false
  private var number: UInt64 = 0

  init() throws {
    try inbox.accept(Welcome(worker: WorkerID(rawValue: 1)))
  }

  var executorReads: Bool { [.reading, .glancing, .dealt].contains(executor) }

  var ioThreadReads: Bool {
    switch ioThread {
    case .reading, .dealt: true
    case .resting, .looking, .calling: false
    }
  }

  /// Whether the executor has nothing to do, and knows it.
  var isQuiet: Bool {
    input.isEmpty && inbox.isIdle && [.reading, .waiting].contains(executor)
  }

  mutating func send(_ message: Message) { input.append(message) }

  private mutating func receive() throws {
    for message in input {
      switch message {
      case .work:
        number += 1
        try inbox.accept([operation(number)])
      case .recall: _ = inbox.recall(operation(number).reference)
      case .request: break
      }
    }
    input = []
    idleLooks = 0
  }

  private func operation(_ number: UInt64) -> Execute {
    let reference = DispatchReference(
      operation: OperationID(rawValue: number),
      dispatch: DispatchNumber(rawValue: number)
    )
    return Execute(reference: reference, attempt: 1, kind: "k", payload: [])
  }
}

// MARK: - The executor

extension ReadingModel {
  /// Whether the executor does anything, if it is let.
  var canExecutorStep: Bool {
    switch executor {
    case .reading: !input.isEmpty
    case .waiting: isWoken
    default: true
    }
  }

  /// `sends` says whether the beginning of an operation is sent.
  mutating func stepExecutor(sends: Bool) throws {
    switch executor {
    case .deciding:
      switch inbox.next() {
      case .execute: executor = .beginning
      case .read: executor = .reading
      case .wait, .end: executor = .goingToWait
      }
    case .beginning: executor = sends && inbox.turns.beginGlance() ? .glancing : .executing
    case .reading, .glancing:
      try receive()
      executor = .dealt
    case .dealt: executor = inbox.endReading() ? .ringing : afterReading
    case .ringing:
      isCalled = true
      executor = afterReading
    case .executing: executor = .deciding
    case .goingToWait, .waiting:
      isWoken = false
      executor = inbox.isIdle ? .waiting : .deciding
    }
  }

  private var afterReading: Executor { inbox.executing == nil ? .deciding : .executing }
}

// MARK: - The I/O thread

extension ReadingModel {
  /// Whether the I/O thread does anything, if it is let.
  var canIOThreadStep: Bool {
    switch ioThread {
    case .resting: isCalled
    case .reading: !input.isEmpty
    default: true
    }
  }

  mutating func stepIOThread() throws {
    switch ioThread {
    case .resting:
      isCalled = false
      ioThread = .looking
    case .looking: look()
    case .reading:
      try receive()
      ioThread = .dealt
    case .dealt:
      ioThread = .calling(goesOn: inbox.turns.goesOnReading(isExecutorIdle: inbox.isIdle))
    case .calling(let goesOn):
      if executor == .waiting { isWoken = true }
      ioThread = goesOn ? .reading : .looking
    }
  }

  private mutating func look() {
    if !input.isEmpty, !executorReads { idleLooks += 1 }
    switch inbox.turns.attend() {
    case .wait: ioThread = .looking
    case .rest: ioThread = .resting
    case .read: ioThread = .reading
    }
  }
}

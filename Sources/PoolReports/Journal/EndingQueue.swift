package import PoolJournal
import PoolSystem
import Synchronization

/// What became of the outputs of an operation that has ended.
package enum OutputStorage: Sendable {
  /// They are where they belong, in the journal if there is one.
  case stored(KeptOutput?)
  /// The folder of results lacks them, and the run ends; the journal may keep them.
  case failed(KeptOutput?)
  /// The run had to end first: a later run executes the operation again.
  case dropped
}

/// Concludes operations in the order in which they ended, and stores the outputs of each before
/// that.
///
/// Large outputs and results are stored on a thread of their own. Meanwhile the loop goes on; the
/// ends of other operations wait in the queue, so that results, journal and messages keep their
/// order.
package final class EndingQueue: Sendable {
  /// Stores outputs; the closure that it gets says before each MiB whether to go on.
  package typealias Store = @Sendable (_ isWanted: () -> Bool) -> OutputStorage

  private struct Ending {
    /// Whether storing takes long.
    var isLong: Bool
    /// Number of bytes in memory that wait with it.
    var byteCount: Int
    var store: Store
    var conclude: @Sendable (OutputStorage) -> Void
  }

  private enum Work {
    /// The first operation of the queue is being stored.
    case underWay
    /// It is stored, and still in the queue.
    case done(OutputStorage)
  }

  private struct State {
    /// The operations that wait are those from ``first`` on.
    private var endings: [Ending?] = []
    private var first = 0
    /// The state of the first one, if storing it takes long and has begun.
    var work: Work?
    /// Whether the run no longer waits for outputs that are being stored.
    var isDropping = false

    var next: Ending? { first < endings.count ? endings[first] : nil }

    mutating func append(_ ending: Ending) { endings.append(ending) }

    mutating func removeFirst() {
      endings[first] = nil
      first += 1
      if first == endings.count { (endings, first) = ([], 0) }
    }
  }

  private enum Step {
    case conclude(Ending, OutputStorage?)
    case begin(Store)
    case none
  }

  private let state = Monitor(State())
  /// Number of operations that wait; changes on the thread that concludes them.
  private let waitingCount = Atomic(0)
  private let heldBytes = Atomic(0)
  private let thread = JobThread(name: "opool-storage")
  /// Called before outputs are stored on the thread, and afterwards.
  private let changed: @Sendable (_ isStoring: Bool) -> Void

  package init(changed: @escaping @Sendable (_ isStoring: Bool) -> Void) {
    self.changed = changed
  }

  /// Number of operations that wait.
  package var count: Int { waitingCount.load(ordering: .relaxed) }

  /// Number of bytes in memory that wait with them.
  package var heldByteCount: Int { heldBytes.load(ordering: .relaxed) }

  /// An operation has ended: concludes it now, or when its outputs and those of all before it are
  /// stored.
  package func append(
    isLong: Bool,
    holding byteCount: Int = 0,
    store: @escaping Store,
    conclude: @escaping @Sendable (OutputStorage) -> Void
  ) {
    let ending = Ending(isLong: isLong, byteCount: byteCount, store: store, conclude: conclude)
    state.withLock { $0.append(ending) }
    waitingCount.add(1, ordering: .relaxed)
    heldBytes.add(byteCount, ordering: .relaxed)
    advance()
  }

  /// Concludes the operations whose turn it is; call it on one thread at a time.
  package func advance() {
    while true {
      switch state.withLock({ Self.next(&$0) }) {
      case .conclude(let ending, let storage):
        ending.conclude(storage ?? ending.store { true })
        waitingCount.subtract(1, ordering: .relaxed)
        heldBytes.subtract(ending.byteCount, ordering: .relaxed)
      case .begin(let store):
        changed(true)
        thread.submit { self.work(store) }
      case .none: return
      }
    }
  }

  private static func next(_ state: inout State) -> Step {
    guard let first = state.next else { return .none }
    switch state.work {
    case .underWay: return .none
    case .done(let storage):
      state.work = nil
      state.removeFirst()
      return .conclude(first, storage)
    case nil where first.isLong && !state.isDropping:
      state.work = .underWay
      return .begin(first.store)
    case nil:
      state.removeFirst()
      return .conclude(first, first.isLong ? .dropped : nil)
    }
  }

  private func work(_ store: Store) {
    let storage = store { !state.withLock { $0.isDropping } }
    state.withLock { state in
      // It may have been given up meanwhile.
      if case .underWay = state.work { state.work = .done(storage) }
    }
    state.broadcast()
    changed(false)
  }

  /// The run must end: drops the outputs that are being stored, and those that are to be.
  ///
  /// Waits until that is noticed, at most for a time: a system call may never return.
  package func drop(within patience: Int64) {
    state.withLock { $0.isDropping = true }
    let isNoticed = state.wait(until: MonotonicClock.time(in: patience)) { state in
      if case .underWay = state.work { true } else { false }
    }
    if !isNoticed { state.withLock { $0.work = .done(.dropped) } }
    advance()
  }
}

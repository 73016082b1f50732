import Dispatch
import Foundation
import PoolAnalysis
import PoolCore
import PoolModel
import Synchronization

/// The observers of one queue; created for the first of them.
///
/// This lock may be taken while the engine's, an operation's and that of the queue's settings are
/// held, never in the other order.
final class QueueObservers: Sendable {
  typealias Transition = QueueTransition.Event

  private weak let queue: PoolOperationQueue?
  private let state = Mutex(State())

  fileprivate struct State {
    var observers = KeyValueObservers<PoolOperationQueue>()
    var streams = EventStreams<QueueTransition>()
    /// The transitions that the streams get at the end of the turn.
    var turn: [(effect: Int, event: QueueTransition)] = []
    /// Whether a thread sends transitions to the streams, without the lock.
    var isTelling = false
    /// Whether the queue object is gone: the streams end after what was noted until then.
    var isOver = false
    /// Maintained once the queue's content is observed.
    var list: ObservedOperations?
    var progress: QueueProgress?
    /// Those that make records of all that happens.
    var recorders: [QueueRecorder] = []
    /// What is kept for reports.
    var kept: (records: KeptRecords, recorder: QueueRecorder)?
  }

  init(_ queue: PoolOperationQueue) {
    self.queue = queue
    OperationRegistry.process.countObservedQueues(up: 1)
  }

  deinit {
    OperationRegistry.process.countObservedQueues(up: -1)
  }

  /// The queue object is gone: it has no observers any longer, but the progress goes on.
  func end() {
    endRecords()
    // Returned from the closure, so that their closures are released outside the lock.
    _ = state.withLock { state in
      state.list = nil
      state.isOver = true
      state.recorders = []
      return state.observers.removeAll()
    }
    let turnEnd = TurnEnd()
    tellTurn(turnEnd)
    turnEnd.deliver()
  }

  /// Ends the streams of records.
  private func endRecords() {
    let recorders = recorders
    guard !recorders.isEmpty else { return }
    for recorder in recorders { recorder.finish() }
    OperationRegistry.process.fleetObservers.removeOver()
  }

  /// Adds an observer; `value` is the property's current value, unless the list has it.
  func add(
    _ observer: KeyValueObserver<PoolOperationQueue>,
    _ value: ObservedValue?,
    on queue: DispatchQueue
  ) {
    state.withLock { state in
      state.observers.add(observer)
      let wantsList = observer.key == .operations && observer.options.contains(.initial)
      let current = value ?? state.list?.value(observer.key, isWanted: wantsList) ?? .count(0)
      state.observers.tellInitial(observer, change(observer.key, nil, current), on: queue)
    }
  }

  /// Begins to maintain a list of the queue's operations, unless there is one.
  func keepList(_ make: () -> ObservedOperations) {
    let isKept = state.withLock { $0.list != nil }
    guard !isKept else { return }
    let list = make()
    state.withLock { $0.list = list }
  }

  /// Forgets an observer.
  func remove(_ life: ObserverLife) {
    // Returned from the closure, so that the observer's closure is released outside the lock.
    _ = state.withLock { $0.observers.remove(life) }
  }

  /// Makes a stream of the transitions of all operations.
  func makeStream(from firstEffect: Int) -> PoolEventStream<Transition> {
    let (stream, writer) = PoolEventStream.make(keeping: QueueTransition.self)
    state.withLock { $0.streams.add(writer, from: firstEffect) }
    return stream
  }

  /// Adds a recorder; those without a reader are forgotten.
  func add(_ recorder: QueueRecorder) {
    state.withLock { state in
      state.recorders.removeAll { $0.isOver }
      state.recorders.append(recorder)
    }
  }

  /// The recorders of all that happens in the queue.
  var recorders: [QueueRecorder] { state.withLock { $0.recorders } }

  /// Whether records are kept for reports.
  var keepsRecords: Bool { state.withLock { $0.kept != nil } }

  /// What has happened in the queue, if that is kept.
  var keptHistory: RunHistory? {
    state.withLock { $0.kept }.map { $0.records.history(at: $0.recorder.now) }
  }

  /// Keeps what a recorder tells; replaces nothing that is kept already.
  func keep(_ records: KeptRecords, from recorder: QueueRecorder) {
    let isNew = state.withLock { state in
      guard state.kept == nil else { return false }
      state.kept = (records, recorder)
      return true
    }
    if !isNew { records.finish() }
  }

  /// Forgets what is kept, and keeps no more.
  func dropRecords() {
    let kept = state.withLock { $0.kept.take() }
    kept?.records.finish()
    if kept != nil { OperationRegistry.process.fleetObservers.removeOver() }
  }

  /// The queue's progress, if it was asked for.
  var progress: QueueProgress? { state.withLock { $0.progress } }

  /// The queue's progress, created if there is none.
  func makeProgress(_ make: () -> QueueProgress) -> QueueProgress {
    state.withLock { state in
      let progress = state.progress ?? make()
      state.progress = progress
      return progress
    }
  }

  private func change(
    _ key: ObservedKey,
    _ old: ObservedValue?,
    _ new: ObservedValue
  ) -> ObservedChange<PoolOperationQueue> {
    ObservedChange(key: key, old: old, new: new, subject: { [weak queue] in queue })
  }
}

extension QueueObservers.State {
  typealias Turn = [(effect: Int, event: QueueTransition)]

  /// Takes the transitions of the turn; nil if there is nothing to do, or another thread does it.
  fileprivate mutating func beginTelling() -> (EventStreams<QueueTransition>, Turn)? {
    guard !isTelling, !turn.isEmpty || isOver && !streams.isEmpty else { return nil }
    isTelling = true
    streams.removeOver()
    defer { turn = [] }
    return (streams, turn)
  }

  /// Takes the emptied memory back; returns the streams that end now.
  fileprivate mutating func endTelling(
    _ memory: inout Turn
  ) -> [EventStreams<QueueTransition>.Writer] {
    isTelling = false
    guard turn.isEmpty else { return [] }
    swap(&turn, &memory)
    return isOver ? streams.removeAll() : []
  }
}

// MARK: - Changes

extension QueueObservers {
  /// A property was set.
  func changed(
    _ key: ObservedKey,
    from old: ObservedValue,
    to new: ObservedValue,
    on queue: DispatchQueue
  ) {
    state.withLock { $0.observers.tell(change(key, old, new), on: queue) }
  }

  /// Operations were added; returns the progress that must count them when no lock is held.
  func added(_ operations: [PoolOperation], on queue: DispatchQueue) -> QueueProgress? {
    changeList(on: queue) { $0.append(operations) }
    for recorder in recorders { recorder.add(operations.withMembers) }
    return state.withLock { $0.progress }
  }

  /// Notes a transition, or the end (nil), for the streams, which get it at the end of the turn.
  ///
  /// Called by the thread that takes turns. Returns whether a list is kept.
  @discardableResult
  func note(
    _ transition: PoolTransition?,
    _ effect: Int,
    of operation: PoolOperation,
    until turnEnd: TurnEnd
  ) -> Bool {
    let (isFirst, keepsList) = state.withLock { state in
      let keepsList = state.list != nil
      guard !state.streams.isEmpty else { return (false, keepsList) }
      state.turn.append((effect, QueueTransition(operation: operation, transition: transition)))
      return (state.turn.count == 1, keepsList)
    }
    if isFirst { turnEnd.append(self) }
    return keepsList
  }

  /// Sends the transitions of the turn to the streams, and ends them if the queue is gone; while
  /// another thread does so, leaves both to that one.
  func tellTurn(_ turnEnd: TurnEnd) {
    while case (let streams, var events)? = state.withLock({ $0.beginTelling() }) {
      streams.tell(events, at: turnEnd)
      events.removeAll(keepingCapacity: true)
      for stream in state.withLock({ $0.endTelling(&events) }) { stream.finish() }
    }
  }

  /// Counts an operation that has finished, if there are no observers to tell.
  func count(_ effect: Int) {
    if let progress = state.withLock({ $0.progress }) { progress.countFinished(effect) }
  }

  /// An operation has finished, and leaves the list that is kept.
  func finished(_ operation: PoolOperation, _ effect: Int, on queue: DispatchQueue) {
    changeList(on: queue) { $0.remove(operation, effect) }
  }

  /// Changes the list, and tells the observers of the content; makes copies of the list only if an
  /// observer wants them.
  private func changeList(on queue: DispatchQueue, _ body: (inout ObservedOperations) -> Bool) {
    state.withLock { state in
      guard var list = state.list else { return }
      state.list = nil
      let options = state.observers.interest(in: .operations) ?? []
      let keys: [ObservedKey] = [.operations, .operationCount]
      let old = keys.map { list.value($0, isWanted: options.contains(.old)) }
      let hasChanged = body(&list)
      let new = keys.map { list.value($0, isWanted: options.contains(.new)) }
      state.list = list
      guard hasChanged else { return }
      for (index, key) in keys.enumerated() {
        state.observers.tell(change(key, old[index], new[index]), on: queue)
      }
    }
  }
}

import Synchronization

extension PoolOperationQueue {
  /// Maximum number of unfinished operations in the queue up to which ``add(_:)`` adds; nil for no
  /// limit, at least 1.
  ///
  /// Operations that are added in other ways count, but do not wait. A group counts as one.
  public var capacity: Int? {
    get { core.room.withLock { $0.capacity } }
    set {
      core.room.withLock { $0.capacity = newValue.map { max($0, 1) } }
      core.giveRoom()
    }
  }

  /// Adds an operation as soon as the queue has fewer than its ``capacity``.
  ///
  /// Waiting tasks take turns in the order in which they began to wait. A task that is cancelled
  /// while it waits adds nothing, and throws `CancellationError`. Throws ``PoolError`` like
  /// ``addOperation(_:)``, if the queue is shut down meanwhile, and in a block of a queue with a
  /// capacity of 1, in which there is no room before the block's end.
  public func add(_ operation: PoolOperation) async throws {
    if capacity == 1 { try core.demandOutside() }
    try await core.takeRoom()
    // From then on the queue counts the operation, or has refused it.
    defer { core.returnRoom() }
    try Task.checkCancellation()
    try addOperation(operation)
  }
}

extension QueueCore {
  /// The tasks that wait until they may add an operation, in order.
  struct Room {
    var capacity: Int?
    /// Number of tasks that may add, and have not yet.
    fileprivate var takenCount = 0
    fileprivate(set) var waiters: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] =
      []
    fileprivate var lastNumber = 0

    fileprivate func has(beside unfinishedCount: Int) -> Bool {
      capacity.map { unfinishedCount + takenCount < $0 } ?? true
    }
  }

  /// Waits until there is room for one operation, and takes it.
  fileprivate func takeRoom() async throws {
    roomWaiterCount.add(1, ordering: .sequentiallyConsistent)
    defer { roomWaiterCount.subtract(1, ordering: .sequentiallyConsistent) }
    let number = room.withLock { room in
      room.lastNumber += 1
      return room.lastNumber
    }
    let isTaken = await withTaskCancellationHandler {
      await withCheckedContinuation { awaitRoom(as: number, $0) }
    } onCancel: {
      stopAwaitingRoom(number)
    }
    guard !isTaken else { return }
    try Task.checkCancellation()
    throw PoolError.shutDown(self)
  }

  /// Resumes the continuation at once, or stores it.
  private func awaitRoom(as number: Int, _ continuation: CheckedContinuation<Bool, Never>) {
    let answer = room.withLock { room -> Bool? in
      guard takesOperations, !Task.isCancelled else { return false }
      guard room.waiters.isEmpty, room.has(beside: unfinishedCount) else {
        room.waiters.append((number, continuation))
        return nil
      }
      room.takenCount += 1
      return true
    }
    if let answer { continuation.resume(returning: answer) }
  }

  /// One task stops waiting.
  private func stopAwaitingRoom(_ number: Int) {
    let continuation = room.withLock { room in
      room.waiters.firstIndex { $0.number == number }.map {
        room.waiters.remove(at: $0).continuation
      }
    }
    continuation?.resume(returning: false)
  }

  /// The reserved room is counted as an operation now, or free again.
  fileprivate func returnRoom() {
    room.withLock { $0.takenCount -= 1 }
    giveRoom()
  }

  /// Resumes the tasks for which there is room.
  func giveRoom() {
    let admitted = room.withLock { room in
      var admitted: [CheckedContinuation<Bool, Never>] = []
      while admitted.count < room.waiters.count, room.has(beside: unfinishedCount) {
        admitted.append(room.waiters[admitted.count].continuation)
        room.takenCount += 1
      }
      room.waiters.removeFirst(admitted.count)
      return admitted
    }
    for continuation in admitted { continuation.resume(returning: true) }
  }

  /// Resumes all waiting tasks without room: the queue is being shut down.
  func refuseRoom() {
    let waiters = room.withLock { room in
      let waiters = room.waiters
      room.waiters = []
      return waiters
    }
    for (_, continuation) in waiters { continuation.resume(returning: false) }
  }
}

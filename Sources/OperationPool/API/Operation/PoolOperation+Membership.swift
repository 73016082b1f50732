import PoolCore
import PoolModel
import Synchronization

// The queue or group of an operation.

extension PoolOperation {
  /// Puts the operation of an entry into a queue, and registers it; nil if it is or was in one, or
  /// in another group.
  func enter(
    _ queue: QueueCore,
    _ entry: QueueEntry,
    _ transaction: inout PoolEngine.Transaction
  ) -> OperationID? {
    var leavesGroup = false
    let identity = life.withLock { life -> Identity? in
      guard life.queue == nil, life.settlement == nil, life.isAdded == (entry.group != nil),
        life.belongs(to: entry.group)
      else { return nil }
      leavesGroup = entry.group == nil && life.hasColdState && life.wasMember
      life.isAdded = true
      life.queue = queue
      life.payload = entry.payload
      if entry.quality != .default { life.inheritedQualityOfService = entry.quality }
      return identify(&life, &transaction)
    }
    if leavesGroup { leaveFormerGroup(&transaction) }
    return identity.map { link($0, &transaction) }
  }

  /// The group that it was a member of is gone, or about to be: lets the machine know.
  func leaveFormerGroup(_ transaction: inout PoolEngine.Transaction) {
    let id = life.withLock { life in
      life.hasColdState && life.wasMember && life.groupKey == nil ? life.id : nil
    }
    if let id { transaction.change(.leaveGroup(id)) }
  }

  /// What became of an operation that ``enterPlainly(_:_:)`` was to put into a queue.
  enum PlainEntry {
    case refused
    /// It has entered the queue.
    case entered
    /// It has entered, and the machine knows it, for example because it is observed.
    case known(OperationID)
  }

  /// Puts an operation without special properties into a queue.
  @inline(__always)
  func enterPlainly(_ queue: QueueCore, _ payload: [UInt8]) -> PlainEntry {
    guard special == nil, !hasMembers else { return .refused }
    return life.withLock { life in
      guard !life.isAdded, life.settlement == nil, life.canceller == nil,
        life.priority == .normal, !life.hasColdState || !life.wasMember
      else { return .refused }
      life.isAdded = true
      life.queue = queue
      life.payload = payload
      return life.id.map { .known($0) } ?? .entered
    }
  }

  /// Whether the machine knows the operation.
  var isRegistered: Bool { life.withLock { $0.id != nil } }

  /// The operation's identifier in the machine; registers it first if necessary.
  func register(_ transaction: inout PoolEngine.Transaction) -> OperationID {
    link(life.withLock { identify(&$0, &transaction) }, &transaction)
  }

  /// The operation's identifier in the machine, and the dependencies that the machine does not know
  /// yet.
  typealias Identity = (id: OperationID, deferred: [DependencyList.Element])

  private func identify(_ life: inout Life, _ transaction: inout PoolEngine.Transaction) -> Identity
  {
    if let id = life.id { return (id, []) }
    var spec = OperationSpec(kind: transaction.kind(kind), priority: life.priority)
    spec.needsPreparation = life.isDemanding || makesInputLate
    if let special { special.specify(&spec, kind, &transaction) }
    specify(&spec)
    let id = transaction.create(spec)
    if life.canceller != nil { _ = transaction.cancel(id) }
    life.id = id
    // An empty list is not copied, which would count a reference.
    return (id, life.dependencies.isEmpty ? [] : life.dependencies.elements)
  }

  /// Marks the operation as a member of a group; false if it is or was in a queue or group.
  func join(_ group: PoolGroupOperation) -> Bool {
    life.withLock { life in
      guard !life.isAdded, life.settlement == nil else { return false }
      life.isAdded = true
      life.group = group
      life.groupKey = ObjectIdentifier(group)
      life.wasMember = true
      return true
    }
  }

  /// Undoes the entry, because the queue refused the batch; a member stays in its group.
  func undo(_ entry: QueueEntry) {
    guard entry.group != nil else { return leaveQueue() }
    life.withLock { life in
      life.queue = nil
      life.payload = []
      life.inheritedQualityOfService = .default
    }
  }

  /// Removes the mark, because the queue refused the batch, or the group is gone.
  func leaveQueue() {
    life.withLock { life in
      life.isAdded = false
      life.queue = nil
      life.payload = []
      if life.hasColdState {
        life.group = nil
        life.groupKey = nil
        life.inheritedQualityOfService = .default
      }
    }
  }

  /// The queue that it is in.
  var queue: QueueCore? { life.withLock { $0.queue } }

  /// The group that it is a member of.
  var group: PoolGroupOperation? { life.withLock { $0.group } }

  /// The groups that it is in, innermost first.
  var enclosingGroups: [PoolOperation] {
    var groups: [PoolOperation] = []
    var next = group
    while let group = next {
      groups.append(group)
      next = group.group
    }
    return groups
  }

  /// Whether the queue waits for it: it is in the queue itself, or in a group that is.
  func isInside(_ queue: QueueCore) -> Bool {
    ([self] + enclosingGroups).contains { $0.queue === queue }
  }
}

extension PoolOperation.Life {
  /// Whether it is a member of this group, or of none.
  fileprivate func belongs(to group: PoolGroupOperation?) -> Bool {
    guard hasColdState else { return group == nil }
    return self.groupKey == group.map { ObjectIdentifier($0) }
  }
}

extension SpecialOptions {
  /// Sets the properties of an operation in the core's description.
  fileprivate func specify(
    _ spec: inout OperationSpec,
    _ kind: String,
    _ transaction: inout PoolEngine.Transaction
  ) {
    if !options.constraint.isEmpty {
      spec.kind = transaction.kind(ConstrainedKind(kind, requiring: options.constraint))
    }
    spec.timeout = options.timeout.map { Int64.nanoseconds(of: $0) }
    spec.retries = options.retryPolicy.count
    spec.retryRule = options.retryPolicy.rule
    spec.teardown = options.teardownSequence
    spec.slots = options.slots
    spec.isBarrier = options.isBarrier
    spec.isIdempotent = options.isIdempotent
    spec.raisesDependencies = options.raisesDependencies
    spec.claims = options.exclusive.map { transaction.enter($0) } + options.limits.map(\.resource)
  }
}

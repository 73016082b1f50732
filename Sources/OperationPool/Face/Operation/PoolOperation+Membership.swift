import PoolCore
import PoolModel
import Synchronization

// Which queue or group an operation belongs to.

extension PoolOperation {
  /// Puts the operation into a queue, its group's where it is a member, and has the machine know
  /// it; nil where it is in one, or was.
  func enter(
    _ queue: QueueCore,
    of group: PoolGroupOperation?,
    _ payload: [UInt8],
    _ transaction: inout PoolEngine.Transaction
  ) -> OperationID? {
    let identity = book.withLock { book -> Identity? in
      guard book.queue == nil, book.settlement == nil, book.isAdded == (group != nil),
        book.belongs(to: group)
      else { return nil }
      book.isAdded = true
      book.queue = queue
      book.payload = payload
      return identify(&book, &transaction)
    }
    return identity.map { link($0, &transaction) }
  }

  /// Puts the operation into a queue where nothing is special about it; returns whether it did.
  ///
  /// One that the machine knows, as one that is observed, is appended to the list.
  func enterPlainly(
    _ queue: QueueCore,
    _ payload: [UInt8],
    _ known: inout [OperationID]
  ) -> Bool {
    guard special == nil, !hasMembers else { return false }
    return book.withLock { book in
      guard !book.isAdded, book.settlement == nil, book.canceller == nil, book.priority == .normal
      else { return false }
      if let id = book.id { known.append(id) }
      book.isAdded = true
      book.queue = queue
      book.payload = payload
      return true
    }
  }

  /// Whether the machine knows the operation.
  var isRegistered: Bool { book.withLock { $0.id != nil } }

  /// What the machine calls the operation, which it gets to know if it does not.
  func register(_ transaction: inout PoolEngine.Transaction) -> OperationID {
    link(book.withLock { identify(&$0, &transaction) }, &transaction)
  }

  /// What the machine calls an operation, and the dependencies that it has still to be told of.
  typealias Identity = (id: OperationID, deferred: [DependencyList.Element])

  private func identify(_ book: inout Book, _ transaction: inout PoolEngine.Transaction) -> Identity
  {
    if let id = book.id { return (id, []) }
    var spec = OperationSpec(kind: transaction.kind(kind), priority: book.priority)
    spec.needsPreparation = book.isDemanding || makesInputLate
    if let special { special.specify(&spec, &transaction) }
    specify(&spec)
    let id = transaction.create(spec)
    if book.canceller != nil { _ = transaction.cancel(id) }
    book.id = id
    return (id, book.dependencies.elements)
  }

  /// Marks the operation as a member of a group; false where it is in a queue or group, or was.
  func join(_ group: PoolGroupOperation) -> Bool {
    book.withLock { book in
      guard !book.isAdded, book.settlement == nil else { return false }
      book.isAdded = true
      book.group = group
      book.groupKey = ObjectIdentifier(group)
      return true
    }
  }

  /// Takes the mark back, because the queue refused the batch, or the group is gone.
  func leaveQueue() {
    book.withLock { book in
      book.isAdded = false
      book.queue = nil
      book.payload = []
      if book.hasColdState {
        book.group = nil
        book.groupKey = nil
      }
    }
  }

  /// The queue that it is in.
  var queue: QueueCore? { book.withLock { $0.queue } }

  /// The group that it is a member of.
  var group: PoolGroupOperation? { book.withLock { $0.group } }

  /// The groups that it is in, from the innermost outwards.
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

extension PoolOperation.Book {
  /// Whether it is a member of this group, or of none.
  fileprivate func belongs(to group: PoolGroupOperation?) -> Bool {
    guard hasColdState else { return group == nil }
    return self.groupKey == group.map { ObjectIdentifier($0) }
  }
}

extension SpecialOptions {
  /// Tells the core what was said of an operation.
  fileprivate func specify(_ spec: inout OperationSpec, _ transaction: inout PoolEngine.Transaction)
  {
    spec.timeout = options.timeout.map { Int64.nanoseconds(of: $0) }
    spec.retries = options.retryPolicy.count
    spec.retryRule = options.retryPolicy.rule
    spec.teardown = options.teardownSequence
    spec.slots = options.slots
    spec.isBarrier = options.isBarrier
    spec.raisesDependencies = options.raisesDependencies
    spec.claims = options.exclusive.map { transaction.enter($0) } + options.limits.map(\.resource)
  }
}

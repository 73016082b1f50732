import PoolModel

// Whether an operation's queue and fleet have room for it.

extension Dispatcher {
  /// A worker gets an operation: takes its slots, and its resource units unless it takes over
  /// another's.
  @inline(__always)
  mutating func occupy(
    _ handle: OperationHandle,
    isSuccessor: Bool = false,
    _ records: inout OperationTable
  ) {
    let kindQueue = records[handle].kindQueue
    let slots = Int(records[handle].slots)
    queues[kindQueues[kindQueue].queue].assignedSlots += slots
    queues[kindQueues[kindQueue].queue].permits -= 1
    if slots > 1, records[handle].state.takesSlots {
      fleets[fleet(of: handle, records)].extraSlots += slots - 1
    }
    guard records[handle].hasClaims, !isSuccessor else { return }
    takeClaims(handle, &records)
  }

  /// An operation leaves its worker: frees its slots, and its units unless it has none or another
  /// operation takes them over.
  @inline(__always)
  mutating func vacate(
    _ handle: OperationHandle,
    keepsClaims: Bool,
    _ records: inout OperationTable
  ) {
    let kindQueue = records[handle].kindQueue
    let slots = Int(records[handle].slots)
    queues[kindQueues[kindQueue].queue].assignedSlots -= slots
    if slots > 1, records[handle].state.takesSlots {
      fleets[fleet(of: handle, records)].extraSlots -= slots - 1
    }
    if slots > 1 || queues[kindQueues[kindQueue].queue].reservedFor != nil {
      markDirty(fleet(of: handle, records))
    }
    if !queues[kindQueues[kindQueue].queue].parked.isEmpty {
      unpark(kindQueues[kindQueue].queue)
    }
    if records[handle].hasClaims, !keepsClaims { returnClaims(handle, &records) }
  }

  enum Room {
    case free
    case none
    /// There is no room; what becomes free has just been reserved for the operation.
    case reserved
  }

  /// Whether the queue of a ready operation, and the fleet, have room for it.
  ///
  /// An operation that needs more than is free reserves what becomes free, so that smaller ones
  /// which come later do not delay it forever. An operation that needs more than exists gets
  /// everything.
  mutating func room(
    for key: ReadyKey,
    _ kindQueue: KindQueueHandle,
    _ configuration: ConfigurationID,
    _ records: borrowing OperationTable
  ) -> Room {
    let queue = kindQueues[kindQueue].queue
    let fleet = queues[queue].fleet
    let assigned = queues[queue].assignedSlots
    guard queues[queue].isOpen, queues[queue].hasRoom else { return .none }
    if isUncrowded(for: key, queue, records) { return .free }
    let handle = order.occupant(key.position)
    let slots = Int(records[handle].slots)
    let unassigned = assigned == 0 ? Int.max : queues[queue].width - assigned
    guard isFirst(key, before: queues[queue].reservedFor, unassigned, records) else { return .none }
    guard slots <= unassigned else {
      return Self.reserve(&queues[queue].reservedFor, for: records.id(of: handle))
    }
    guard !configurations[configuration].spec.executesBlocks else { return .free }
    let busy = fleets[fleet].busyCount + fleets[fleet].extraSlots
    let free = busy == 0 ? Int.max : fleets[fleet].slots - busy
    guard isFirst(key, before: fleets[fleet].reservedFor, free, records) else { return .none }
    guard slots <= free else {
      return Self.reserve(&fleets[fleet].reservedFor, for: records.id(of: handle))
    }
    return .free
  }

  /// Whether no operation involved needs several slots: then room in the queue is all
  /// that counts.
  @inline(__always)
  func isUncrowded(
    for key: ReadyKey,
    _ queue: QueueID,
    _ records: borrowing OperationTable
  ) -> Bool {
    let fleet = queues[queue].fleet
    return records[order.occupant(key.position)].slots == 1 && queues[queue].reservedFor == nil
      && fleets[fleet].extraSlots == 0 && fleets[fleet].reservedFor == nil
  }

  private static func reserve(_ room: inout OperationID?, for id: OperationID) -> Room {
    guard room != id else { return .none }
    room = id
    return .reserved
  }

  /// Whether an operation comes before the one that has the reservation, or is that one.
  ///
  /// If that one has room by now, it only lacks a worker, and holds back no other operation.
  private func isFirst(
    _ key: ReadyKey,
    before reserved: OperationID?,
    _ free: Int,
    _ records: borrowing OperationTable
  ) -> Bool {
    guard let reserved, let handle = records.handle(of: reserved),
      records[handle].state.isReady, records[handle].state.isOffered,
      records[handle].slots > free,
      queues[kindQueues[records[handle].kindQueue].queue].isOpen
    else { return true }
    return key <= records[handle].key
  }

  /// Drops the reservations of an operation that no longer needs them.
  mutating func cancelReservations(
    of handle: OperationHandle,
    in queue: QueueID,
    _ records: borrowing OperationTable
  ) {
    let fleet = queues[queue].fleet
    guard queues[queue].reservedFor != nil || fleets[fleet].reservedFor != nil else { return }
    let id = records.id(of: handle)
    markDirty(fleet)
    if queues[queue].reservedFor == id { queues[queue].reservedFor = nil }
    if fleets[fleet].reservedFor == id { fleets[fleet].reservedFor = nil }
  }

  func fleet(of handle: OperationHandle, _ records: borrowing OperationTable) -> FleetID {
    queues[kindQueues[records[handle].kindQueue].queue].fleet
  }
}

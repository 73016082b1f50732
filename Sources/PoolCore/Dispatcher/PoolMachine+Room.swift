import PoolModel

// Whether there is room for an operation: in its queue, and in its fleet.

extension PoolMachine {
  /// A worker has an operation: its slots and what it claims are taken.
  mutating func occupy(_ slot: OperationHandle) {
    let kindQueue = operations[slot].kindQueue
    let slots = Int(operations[slot].slots)
    queues[kindQueues[kindQueue].queue].assignedSlots += slots
    if slots > 1, operations[slot].state.takesPlaces {
      fleets[fleet(of: slot)].extraSlots += slots - 1
    }
    guard operations[slot].hasClaims else { return }
    takeClaims(slot)
    for claim in resources.claims(operations[slot].claims) { refresh(claim) }
  }

  /// No worker has an operation any more.
  mutating func vacate(_ slot: OperationHandle) {
    let kindQueue = operations[slot].kindQueue
    let slots = Int(operations[slot].slots)
    queues[kindQueues[kindQueue].queue].assignedSlots -= slots
    if slots > 1, operations[slot].state.takesPlaces {
      fleets[fleet(of: slot)].extraSlots -= slots - 1
    }
    if operations[slot].hasClaims { returnClaims(slot) }
  }

  enum Room {
    case free
    case none
    /// There is none, and what becomes free was reserved for it just now.
    case reserved
  }

  /// Whether the queue of a ready operation, and the fleet, have room for it.
  ///
  /// One that needs more than is free reserves what becomes free, so that smaller ones which come
  /// later do not keep it waiting for ever; one that needs more than there is gets everything.
  mutating func room(
    for key: ReadyKey,
    _ kindQueue: KindQueueHandle,
    _ configuration: ConfigurationID
  ) -> Room {
    let queue = kindQueues[kindQueue].queue
    let fleet = queues[queue].fleet
    let assigned = queues[queue].assignedSlots
    guard queues[queue].isOpen, assigned < queues[queue].width else { return .none }
    let slot = order.occupant(key.position)
    let slots = Int(operations[slot].slots)
    let isCrowded =
      slots > 1 || queues[queue].reservedFor != nil || fleets[fleet].extraSlots > 0
      || fleets[fleet].reservedFor != nil
    guard isCrowded else { return .free }
    let unassigned = assigned == 0 ? Int.max : queues[queue].width - assigned
    guard isFirst(key, before: queues[queue].reservedFor, unassigned) else { return .none }
    guard slots <= unassigned else {
      return Self.reserve(&queues[queue].reservedFor, for: operations.id(of: slot))
    }
    guard !configurations[configuration].spec.isInProcess else { return .free }
    let busy = fleets[fleet].busyCount + fleets[fleet].extraSlots
    let places = busy == 0 ? Int.max : fleets[fleet].places - busy
    guard isFirst(key, before: fleets[fleet].reservedFor, places) else { return .none }
    guard slots <= places else {
      return Self.reserve(&fleets[fleet].reservedFor, for: operations.id(of: slot))
    }
    return .free
  }

  private static func reserve(_ room: inout OperationID?, for id: OperationID) -> Room {
    guard room != id else { return .none }
    room = id
    return .reserved
  }

  /// Whether an operation comes before the one for which room is reserved, or is that one.
  ///
  /// One that could have its room by now lacks a worker, and holds back nobody for that.
  private func isFirst(_ key: ReadyKey, before reserved: OperationID?, _ free: Int) -> Bool {
    guard let reserved, let slot = operations.slot(of: reserved),
      operations[slot].state.isReady, operations[slot].state.isOffered,
      operations[slot].slots > free,
      queues[kindQueues[operations[slot].kindQueue].queue].isOpen
    else { return true }
    return key <= operations[slot].key
  }

  /// An operation for which room may be reserved needs none any more.
  mutating func cancelReservations(of slot: OperationHandle, in queue: QueueID) {
    let fleet = queues[queue].fleet
    guard queues[queue].reservedFor != nil || fleets[fleet].reservedFor != nil else { return }
    let id = operations.id(of: slot)
    if queues[queue].reservedFor == id { queues[queue].reservedFor = nil }
    if fleets[fleet].reservedFor == id { fleets[fleet].reservedFor = nil }
  }

  func fleet(of slot: OperationHandle) -> FleetID {
    queues[kindQueues[operations[slot].kindQueue].queue].fleet
  }
}

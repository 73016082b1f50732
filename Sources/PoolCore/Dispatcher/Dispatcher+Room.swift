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
    if slots > 1 || queues[kindQueues[kindQueue].queue].wideCount > 0 {
      markDirty(fleet(of: handle, records))
    }
    if !queues[kindQueues[kindQueue].queue].parked.isEmpty {
      unpark(kindQueues[kindQueue].queue)
    }
    if records[handle].hasClaims, !keepsClaims { returnClaims(handle, &records) }
  }

  /// Whether the queue of a ready operation, and the fleet, have room for it.
  ///
  /// An operation that needs more than exists gets everything.
  func hasRoom(
    for key: ReadyKey,
    _ kindQueue: KindQueueHandle,
    _ configuration: ConfigurationID,
    _ records: borrowing OperationTable
  ) -> Bool {
    let queue = kindQueues[kindQueue].queue
    let fleet = queues[queue].fleet
    guard queues[queue].isOpen, queues[queue].hasRoom else { return false }
    if isUncrowded(for: key, queue, records) { return true }
    let slots = Int(records[order.occupant(key.position)].slots)
    let (assigned, width) = (queues[queue].assignedSlots, queues[queue].width)
    let kept = reservedSlots(
      for: queues[queue].reservedFor,
      against: key,
      behind: assigned,
      in: width,
      records
    )
    guard Self.fits(slots, behind: assigned, in: width, kept) else { return false }
    guard !configurations[configuration].spec.executesBlocks else { return true }
    let (busy, total) = (fleets[fleet].busyCount + fleets[fleet].extraSlots, fleets[fleet].slots)
    let keptWorkers = reservedSlots(
      for: fleets[fleet].reservedFor,
      against: key,
      behind: busy,
      in: total,
      records
    )
    return Self.fits(slots, behind: busy, in: total, keptWorkers)
  }

  private static func fits(_ slots: Int, behind taken: Int, in total: Int, _ kept: Int) -> Bool {
    taken + kept == 0 || slots <= total - taken - kept
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

  func fleet(of handle: OperationHandle, _ records: borrowing OperationTable) -> FleetID {
    queues[kindQueues[records[handle].kindQueue].queue].fleet
  }
}

import PoolModel

// An operation that lacks something holds back no other; so others may take, again and again, what
// it needs while it lacks something else. After it was overtaken often enough, it reserves what it
// needs. Only one operation reserves at a time: two could each wait for what the other has
// reserved.

extension Dispatcher {
  /// A worker is given an operation: counts it for the first contenders that it has overtaken.
  @inline(__always)
  mutating func countOvertaking(
    by handle: OperationHandle,
    _ key: ReadyKey,
    _ records: inout OperationTable
  ) {
    if contenders.count > 0 { countOvertakingOfSome(by: handle, key, &records) }
  }

  private mutating func countOvertakingOfSome(
    by handle: OperationHandle,
    _ key: ReadyKey,
    _ records: inout OperationTable
  ) {
    guard var next = contenders.first, next < key else { return }
    var hasStarving = false
    for _ in 0..<Overtaking.counted {
      let other = order.occupant(next.position)
      if contend(other, handle, records), noteOvertaken(other) { hasStarving = true }
      guard let following = contenders.first(after: next), following < key else { break }
      next = following
    }
    if hasStarving { chooseReserver(&records) }
  }

  /// Returns whether it has now been overtaken too often.
  private mutating func noteOvertaken(_ handle: OperationHandle) -> Bool {
    overtaking.counts[handle, default: 0] += 1
    guard overtaking.counts[handle] == overtaking.patience else { return false }
    overtaking.starving.append(handle)
    return true
  }

  /// Whether one operation takes of what another one needs: units, or slots where that needs
  /// several.
  private func contend(
    _ handle: OperationHandle,
    _ taker: OperationHandle,
    _ records: borrowing OperationTable
  ) -> Bool {
    let taken = resources.claims(records[taker].claims)
    if !taken.isEmpty,
      resources.claims(records[handle].claims).contains(where: { taken.contains($0) })
    {
      return true
    }
    guard records[handle].slots > 1 else { return false }
    if kindQueues[records[handle].kindQueue].queue == kindQueues[records[taker].kindQueue].queue {
      return true
    }
    return records[taker].state.takesSlots
      && fleet(of: handle, records) == fleet(of: taker, records)
  }

  /// An operation no longer contends.
  mutating func forgetOvertaking(of handle: OperationHandle, _ records: inout OperationTable) {
    guard !overtaking.counts.isEmpty, overtaking.counts.removeValue(forKey: handle) != nil else {
      return
    }
    overtaking.starving.removeAll { $0 == handle }
    if overtaking.reserver == handle { chooseReserver(&records) }
  }

  /// Lets the first of those that were overtaken too often reserve what it needs.
  ///
  /// One that waits for a paused limit reserves nothing: what it would keep unused might be what
  /// the operation that is to raise the limit needs.
  private mutating func chooseReserver(_ records: inout OperationTable) {
    let former = overtaking.reserver
    let next = overtaking.starving.filter { !isPaused($0, records) }
      .min { records[$0].key < records[$1].key }
    guard next != former else { return }
    overtaking.reserver = next
    for handle in [former, next].compactMap(\.self) {
      let queue = kindQueues[records[handle].kindQueue].queue
      let id = handle == next ? records.id(of: handle) : nil
      if records[handle].slots > 1 {
        queues[queue].reservedFor = id
        fleets[queues[queue].fleet].reservedFor = id
      }
      markDirty(queues[queue].fleet)
      for claim in resources.claims(records[handle].claims) { refresh(claim, &records) }
    }
  }

  /// Whether an operation claims units of a resource that has none at all.
  private func isPaused(_ handle: OperationHandle, _ records: borrowing OperationTable) -> Bool {
    resources.claims(records[handle].claims).contains { resources[$0].capacity <= 0 }
  }

  /// A limit was paused, or is no longer.
  mutating func noteLimitPaused(_ records: inout OperationTable) {
    if !overtaking.starving.isEmpty { chooseReserver(&records) }
  }

  /// How many units of a resource are reserved for another operation that comes before this one.
  func reservedUnits(
    of claim: ResourceID,
    against handle: OperationHandle,
    _ records: borrowing OperationTable
  ) -> Int {
    guard let reserver = overtaking.reserver, reserver != handle,
      records[reserver].key < records[handle].key,
      resources.claims(records[reserver].claims).contains(claim)
    else { return 0 }
    return resources[claim].units(for: records[reserver].slots)
  }

  /// How many slots are reserved for another operation that comes before this one; `reserver` is
  /// the one for which slots of the queue or fleet are reserved.
  ///
  /// None while it lacks a unit, because it needs no slots then; and none once these are free,
  /// because it only lacks a worker then.
  func reservedSlots(
    for reserver: OperationID?,
    against key: ReadyKey,
    behind taken: Int,
    in total: Int,
    _ records: borrowing OperationTable
  ) -> Int {
    guard taken > 0, let handle = reserver?.handle, records[handle].state.isOffered,
      records[handle].key < key, Int(records[handle].slots) > total - taken
    else { return 0 }
    return Int(records[handle].slots)
  }
}

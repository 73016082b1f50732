import PoolModel

/// The lives of all workers, by slot; a slot is used again after its worker is gone.
///
/// Events name workers by their numbers, which are never used again; four bytes remember each
/// number that ever was. Slots are small, so that sets of them are.
struct WorkerTable: ~Copyable {
  private var lives = Slab<WorkerHandle, WorkerLife>()
  private var isLiving: [Bool] = []
  private var freeSlots: [WorkerHandle] = []
  /// The slot of each worker that ever was, by its number less one; a gone worker's is -1.
  private var slots: [Int32] = []

  /// Makes a worker, with the next number.
  mutating func add(of configuration: ConfigurationID, deadline: Instant) -> (
    slot: WorkerHandle, id: WorkerID
  ) {
    let id = WorkerID(rawValue: UInt32(slots.count + 1))
    let life = WorkerLife(id: id, configuration: configuration, deadline: deadline)
    let slot: WorkerHandle
    if let free = freeSlots.popLast() {
      slot = free
      lives[slot] = life
      isLiving[slot.offset] = true
    } else {
      slot = lives.append(life)
      isLiving.append(true)
    }
    slots.append(Int32(slot.offset))
    return (slot, id)
  }

  /// The worker in this slot is gone.
  mutating func remove(_ slot: WorkerHandle) {
    slots[Int(lives[slot].id.rawValue) - 1] = -1
    isLiving[slot.offset] = false
    freeSlots.append(slot)
  }

  /// The slot of a worker that is not gone.
  func slot(of id: WorkerID) -> WorkerHandle? {
    let index = Int(id.rawValue) - 1
    guard slots.indices.contains(index), slots[index] >= 0 else { return nil }
    return WorkerHandle(Int(slots[index]))
  }

  /// Whether there is a worker in this slot.
  func isLiving(_ slot: WorkerHandle) -> Bool { isLiving[slot.offset] }

  /// The slots of all workers that are not gone, in order.
  var living: [WorkerHandle] { lives.indices.filter { isLiving[$0.offset] } }

  /// The worker in a slot; there must be one.
  subscript(slot: WorkerHandle) -> WorkerLife {
    @inline(__always) _read { yield lives[slot] }
    @inline(__always) _modify { yield &lives[slot] }
  }
}

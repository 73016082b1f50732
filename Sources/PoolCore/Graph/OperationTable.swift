import PoolModel

/// The lives of all operations, by slot; a slot is used again after its operation was released.
struct OperationTable: ~Copyable {
  private var lives = Slab<OperationHandle, OperationLife>()
  private var freeSlots: [OperationHandle] = []

  /// How many slots were ever made.
  var slotCount: Int { lives.count }

  /// All slots that were ever made.
  var handles: some RandomAccessCollection<OperationHandle> { lives.indices }

  /// How many slots there is room for.
  var capacity: Int { lives.capacity }

  /// Makes room for so many more, and for no fewer than there are: were each of many small batches
  /// given just what it needs, each would move everything.
  mutating func reserve(_ count: Int) {
    let needed = lives.count + count - freeSlots.count
    guard needed > lives.capacity else { return }
    lives.reserveCapacity(max(needed, lives.capacity * 2))
  }

  /// Takes a free slot.
  @inline(__always)
  mutating func create(
    _ spec: borrowing OperationSpec,
    as role: OperationRole = .plain,
    claims: ClaimsHandle
  ) -> OperationID {
    if let slot = freeSlots.popLast() {
      let generation = lives[slot].generation &+ 1
      lives[slot] = OperationLife(spec, as: role, generation: generation, claims: claims)
      return OperationID(slot: slot.offset, generation: generation)
    }
    let slot = lives.append(OperationLife(spec, as: role, generation: 0, claims: claims))
    return OperationID(slot: slot.offset, generation: 0)
  }

  /// Gives the slot back.
  mutating func release(_ slot: OperationHandle) {
    lives[slot].free()
    freeSlots.append(slot)
  }

  /// The slot of an operation, or nil where the identifier names nothing any more.
  func slot(of id: OperationID) -> OperationHandle? {
    let slot = id.handle
    guard slot.offset < lives.count, lives[slot].generation == id.generation,
      !lives[slot].state.isFree
    else { return nil }
    return slot
  }

  func id(of slot: OperationHandle) -> OperationID {
    OperationID(slot: slot.offset, generation: lives[slot].generation)
  }

  subscript(slot: OperationHandle) -> OperationLife {
    @inline(__always) _read { yield lives[slot] }
    @inline(__always) _modify { yield &lives[slot] }
  }
}

import PoolModel

/// The lives of all operations, by slot; a slot is used again after its operation was released.
struct OperationTable: ~Copyable {
  private var lives = Slab<OperationLife>()
  private var freeSlots: [UInt32] = []

  /// How many slots were ever made.
  var slotCount: Int { lives.count }

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
  mutating func create(_ spec: borrowing OperationSpec, claims: UInt32) -> OperationID {
    if let slot = freeSlots.popLast() {
      let generation = lives[Int(slot)].generation &+ 1
      lives[Int(slot)] = OperationLife(spec, generation: generation, claims: claims)
      return OperationID(slot: Int(slot), generation: generation)
    }
    lives.append(OperationLife(spec, generation: 0, claims: claims))
    return OperationID(slot: lives.count - 1, generation: 0)
  }

  /// Gives the slot back.
  mutating func release(_ slot: Int) {
    lives[slot].state = .free
    freeSlots.append(UInt32(slot))
  }

  /// The slot of an operation, or nil where the identifier names nothing any more.
  func slot(of id: OperationID) -> Int? {
    let slot = id.slot
    guard slot < lives.count, lives[slot].generation == id.generation, lives[slot].state != .free
    else { return nil }
    return slot
  }

  func id(of slot: Int) -> OperationID {
    OperationID(slot: slot, generation: lives[slot].generation)
  }

  subscript(slot: Int) -> OperationLife {
    @inline(__always) _read { yield lives[slot] }
    @inline(__always) _modify { yield &lives[slot] }
  }
}

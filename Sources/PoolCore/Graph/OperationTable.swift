import PoolModel

/// The lives of all operations, by handle; the handle of a released operation is used again.
struct OperationTable: ~Copyable {
  private var lives = Slab<OperationHandle, OperationLife>()
  private var freeHandles: [OperationHandle] = []

  /// All handles created so far, free ones included.
  var handles: some RandomAccessCollection<OperationHandle> { lives.indices }

  /// Number of handles that fit into the memory allocated.
  var capacity: Int { lives.capacity }

  /// Makes room for this number of additional operations; doubles the capacity if memory is needed,
  /// so that many small batches do not each move the whole table.
  mutating func reserve(_ count: Int) {
    let needed = lives.count + count - freeHandles.count
    guard needed > lives.capacity else { return }
    lives.reserveCapacity(max(needed, lives.capacity * 2))
  }

  /// Takes a free handle.
  @inline(__always)
  mutating func create(
    _ spec: borrowing OperationSpec,
    as role: OperationRole = .plain,
    claims: ClaimsHandle
  ) -> OperationID {
    if let handle = freeHandles.popLast() {
      let generation = lives[handle].generation &+ 1
      lives[handle] = OperationLife(spec, as: role, generation: generation, claims: claims)
      return OperationID(index: handle.offset, generation: generation)
    }
    let handle = lives.append(OperationLife(spec, as: role, generation: 0, claims: claims))
    return OperationID(index: handle.offset, generation: 0)
  }

  /// Gives the handle back.
  mutating func release(_ handle: OperationHandle) {
    lives[handle].free()
    freeHandles.append(handle)
  }

  /// The handle of an operation, or nil if the operation was released.
  func handle(of id: OperationID) -> OperationHandle? {
    let handle = id.handle
    guard handle.offset < lives.count, lives[handle].generation == id.generation,
      !lives[handle].state.isFree
    else { return nil }
    return handle
  }

  func id(of handle: OperationHandle) -> OperationID {
    OperationID(index: handle.offset, generation: lives[handle].generation)
  }

  subscript(handle: OperationHandle) -> OperationLife {
    @inline(__always) unsafeAddress { UnsafePointer(lives.address(of: handle)) }
    @inline(__always) unsafeMutableAddress { lives.address(of: handle) }
  }
}

import PoolModel

/// The lives of all operations, by handle; a handle is used again after its operation was released.
struct OperationTable: ~Copyable {
  private var lives = Slab<OperationHandle, OperationLife>()
  private var freeHandles: [OperationHandle] = []

  /// How many handles were ever made.
  var handleCount: Int { lives.count }

  /// All handles that were ever made.
  var handles: some RandomAccessCollection<OperationHandle> { lives.indices }

  /// How many handles there is room for.
  var capacity: Int { lives.capacity }

  /// Makes room for so many more, and for no fewer than there are: were each of many small batches
  /// given just what it needs, each would move everything.
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
      return OperationID(place: handle.offset, generation: generation)
    }
    let handle = lives.append(OperationLife(spec, as: role, generation: 0, claims: claims))
    return OperationID(place: handle.offset, generation: 0)
  }

  /// Gives the handle back.
  mutating func release(_ handle: OperationHandle) {
    lives[handle].free()
    freeHandles.append(handle)
  }

  /// The handle of an operation, or nil where the identifier names nothing any more.
  func handle(of id: OperationID) -> OperationHandle? {
    let handle = id.handle
    guard handle.offset < lives.count, lives[handle].generation == id.generation,
      !lives[handle].state.isFree
    else { return nil }
    return handle
  }

  func id(of handle: OperationHandle) -> OperationID {
    OperationID(place: handle.offset, generation: lives[handle].generation)
  }

  subscript(handle: OperationHandle) -> OperationLife {
    @inline(__always) unsafeAddress { UnsafePointer(lives.address(of: handle)) }
    @inline(__always) unsafeMutableAddress { lives.address(of: handle) }
  }
}

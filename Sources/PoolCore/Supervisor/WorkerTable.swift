import PoolModel

/// The lives of all workers, by handle; a handle is used again after its worker is gone.
///
/// Events name workers by their numbers, which are never used again; four bytes remember each
/// number that ever was. Slots are small, so that sets of them are.
struct WorkerTable: ~Copyable {
  private var lives = Slab<WorkerHandle, WorkerLife>()
  private var isLiving: [Bool] = []
  private var freeHandles: [WorkerHandle] = []
  /// The handle of each worker that ever was, by its number less one; a gone worker's is -1.
  private var handles: [Int32] = []

  /// Makes a worker, with the next number.
  mutating func add(of configuration: ConfigurationID, deadline: Instant) -> (
    handle: WorkerHandle, id: WorkerID
  ) {
    let id = WorkerID(rawValue: UInt32(handles.count + 1))
    let life = WorkerLife(id: id, configuration: configuration, deadline: deadline)
    let handle: WorkerHandle
    if let free = freeHandles.popLast() {
      handle = free
      lives[handle] = life
      isLiving[handle.offset] = true
    } else {
      handle = lives.append(life)
      isLiving.append(true)
    }
    handles.append(Int32(handle.offset))
    return (handle, id)
  }

  /// The worker in this handle is gone.
  mutating func remove(_ handle: WorkerHandle) {
    handles[Int(lives[handle].id.rawValue) - 1] = -1
    isLiving[handle.offset] = false
    freeHandles.append(handle)
  }

  /// The handle of a worker that is not gone.
  func handle(of id: WorkerID) -> WorkerHandle? {
    let index = Int(id.rawValue) - 1
    guard handles.indices.contains(index), handles[index] >= 0 else { return nil }
    return WorkerHandle(Int(handles[index]))
  }

  /// Whether there is a worker in this handle.
  func isLiving(_ handle: WorkerHandle) -> Bool { isLiving[handle.offset] }

  /// The handles of all workers that are not gone, in order.
  var living: [WorkerHandle] { lives.indices.filter { isLiving[$0.offset] } }

  /// The worker in a handle; there must be one.
  subscript(handle: WorkerHandle) -> WorkerLife {
    @inline(__always) unsafeAddress { UnsafePointer(lives.address(of: handle)) }
    @inline(__always) unsafeMutableAddress { lives.address(of: handle) }
  }
}

import PoolModel

/// The lives of all workers, by handle; the handle of a worker that is gone is used again.
///
/// Events name workers by numbers, which are never reused; each number takes four bytes for good.
/// Handles stay small, so that sets of them stay small.
struct WorkerTable: ~Copyable {
  private var lives = Slab<WorkerHandle, WorkerLife>()
  private var isLiving: [Bool] = []
  private var freeHandles: [WorkerHandle] = []
  /// The handle of each worker that was ever added, by its number less one; -1 if it is gone.
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

  /// Removes the worker with this handle.
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

  /// Whether a worker has this handle.
  func isLiving(_ handle: WorkerHandle) -> Bool { isLiving[handle.offset] }

  /// The handles of all workers that are not gone, in order.
  var living: [WorkerHandle] { lives.indices.filter { isLiving[$0.offset] } }

  /// The life of a worker; it must exist.
  subscript(handle: WorkerHandle) -> WorkerLife {
    @inline(__always) unsafeAddress { UnsafePointer(lives.address(of: handle)) }
    @inline(__always) unsafeMutableAddress { lives.address(of: handle) }
  }
}

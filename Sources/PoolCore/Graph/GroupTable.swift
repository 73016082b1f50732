import PoolModel

/// The groups that hold their members back, and their hidden ends.
struct GroupTable {
  struct Life {
    let end: OperationHandle
    /// How the group ends once its members have ended, if that is decided already.
    var verdict: OperationEnd?
    /// The barriers among its members.
    var barriers = BarrierEnds()
  }

  private var lives: [OperationHandle: Life] = [:]
  /// The group of an end, by the end's handle.
  private var groups: [OperationHandle: OperationID] = [:]

  /// What a dependent of this operation waits for: the group's end if it is a group, else the
  /// operation itself.
  func end(of handle: OperationHandle) -> OperationHandle {
    lives.isEmpty ? handle : lives[handle]?.end ?? handle
  }

  /// The group that an end belongs to.
  func group(of end: OperationHandle) -> OperationID? { groups[end] }

  /// The life of a group that has not settled.
  subscript(handle: OperationHandle) -> Life? {
    get { lives.isEmpty ? nil : lives[handle] }
    _modify { yield &lives[handle] }
  }

  mutating func add(_ end: OperationHandle, of group: OperationID) {
    lives[group.handle] = Life(end: end)
    groups[end] = group
  }

  /// The group has settled; returns its end, and its handle stands only for itself from now on.
  mutating func removeGroup(_ handle: OperationHandle) -> OperationHandle? {
    lives.isEmpty ? nil : lives.removeValue(forKey: handle)?.end
  }

  mutating func removeEnd(_ end: OperationHandle) {
    groups[end] = nil
  }
}

/// The hidden operations of the latest barrier of a queue, or among a group's members.
struct BarrierEnds {
  /// Waits for everything before the barrier.
  var entry: OperationID?
  /// Everything after the barrier waits for it.
  var exit: OperationID?
}

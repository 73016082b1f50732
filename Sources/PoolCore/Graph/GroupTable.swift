import PoolModel

/// The groups that are executed, and their hidden ends.
struct GroupTable {
  /// The handle of a group's end, by the group's handle.
  private var ends: [OperationHandle: OperationHandle] = [:]
  /// The group of an end, by the end's handle.
  private var groups: [OperationHandle: OperationID] = [:]

  /// What a dependent of this operation waits for: the group's end if it is a group, else the
  /// operation itself.
  func end(of handle: OperationHandle) -> OperationHandle {
    ends.isEmpty ? handle : ends[handle] ?? handle
  }

  /// The group that an end belongs to.
  func group(of end: OperationHandle) -> OperationID? { groups[end] }

  @inline(__always)
  func isGroup(_ handle: OperationHandle) -> Bool { !ends.isEmpty && ends[handle] != nil }

  mutating func add(_ end: OperationHandle, of group: OperationID) {
    ends[group.handle] = end
    groups[end] = group
  }

  /// The group has settled; returns its end, and its handle stands only for itself from now on.
  mutating func removeGroup(_ handle: OperationHandle) -> OperationHandle? {
    ends.isEmpty ? nil : ends.removeValue(forKey: handle)
  }

  mutating func removeEnd(_ end: OperationHandle) {
    groups[end] = nil
  }
}

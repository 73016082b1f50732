import PoolSystem

/// How much memory blocks of a stream may take.
package struct BlockMemory {
  /// Half of the machine's memory, or of the cgroup's limit.
  private let total: Int

  package init(of machine: Int = MachineMemory.byteCount) {
    total = machine / 2
  }

  /// The largest block: an eighth of the machine's memory, because it is there twice while it is
  /// cut, and others wait.
  package var largest: Int { max(total / 4, 1 << 16) }

  /// Maximum number of blocks, and of their bytes: three blocks for each slot, if descriptors and
  /// memory suffice.
  package func limits(slots: Int, descriptors: Int = Descriptors.limit) -> InputReadAhead.Limits {
    .blocks(count: max(min(3 * slots, descriptors / 8), 2), byteCount: max(total - 2 * largest, 1))
  }
}

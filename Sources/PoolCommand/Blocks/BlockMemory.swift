import PoolSystem

/// How much memory blocks of a stream may take.
struct BlockMemory {
  /// Half of the machine's memory, or of what the cgroup allows.
  private let total: Int

  init(of machine: Int = MachineMemory.byteCount) {
    total = machine / 2
  }

  /// The largest block: an eighth of the machine's memory, because it is there twice while it is
  /// cut, and others wait.
  var largest: Int { max(total / 4, 1 << 16) }

  /// How many blocks may exist, and how many bytes: three for each slot, as far as descriptors
  /// and memory reach.
  func limits(slots: Int, descriptors: Int = Descriptors.limit) -> InputReadAhead.Limits {
    .blocks(count: max(min(3 * slots, descriptors / 8), 2), byteCount: total - 2 * largest)
  }
}

import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Checks how much more address space the process may have.
package enum ProcessMemory {
  /// Makes this process use less of a limited address space; call it before starting threads.
  package static func spare() { opool_spare_address_space() }

  /// Returns memory that this process has freed to the system, if the allocator has kept it.
  ///
  /// It takes a second for a few gigabytes, and holds back other threads' allocations meanwhile.
  package static func returnFreed() { opool_return_freed_memory() }

  /// Throws unless this many more bytes can be mapped; keeps none of them.
  package static func demand(_ byteCount: Int) throws(SystemFailure) {
    // Reserves addresses only, no memory.
    try tryMapping(byteCount, PROT_NONE)
  }

  /// Throws `ENOMEM` unless a file of this size could be read into memory; the file may be sparse.
  static func demand(forFileOf byteCount: Int64) throws(SystemFailure) {
    // Usual files cost no system call.
    guard byteCount > 64 << 20 else { return }
    guard byteCount <= MachineMemory.byteCount else {
      throw SystemFailure(call: "reading a file of \(byteCount) bytes", code: ENOMEM)
    }
    // An allocation that fails would end this process.
    try tryMapping(Int(byteCount), PROT_READ | PROT_WRITE)
  }

  private static func tryMapping(_ byteCount: Int, _ rights: Int32) throws(SystemFailure) {
    let place = mmap(nil, byteCount, rights, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let place, place != MAP_FAILED else { throw .last("mmap") }
    munmap(place, byteCount)
  }
}

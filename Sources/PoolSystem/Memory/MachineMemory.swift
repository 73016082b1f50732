#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The amount of memory that this process may use.
package enum MachineMemory {
  /// Bytes of memory of the machine, or the lowest limit of the process's cgroups.
  package static var byteCount: Int {
    let pages = max(sysconf(Int32(_SC_PHYS_PAGES)), 1)
    let (machine, overflows) = pages.multipliedReportingOverflow(by: Int(getpagesize()))
    let limit = ControlGroup.lowestLimit(of: .memory, \.memoryLimitFile)
    return min(limit ?? .max, overflows ? .max : machine)
  }
}

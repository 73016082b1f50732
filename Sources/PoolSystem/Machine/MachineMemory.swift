#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The amount of memory that this process may use.
package enum MachineMemory {
  /// Bytes of memory of the machine, or of the cgroup of the process with the lowest limit.
  package static var byteCount: Int {
    let pages = max(sysconf(Int32(_SC_PHYS_PAGES)), 1)
    let (machine, overflows) = pages.multipliedReportingOverflow(by: Int(getpagesize()))
    return min(groupLimit ?? .max, overflows ? .max : machine)
  }

  /// The lowest limit of the cgroups around the process; nil if there is none.
  private static var groupLimit: Int? {
    guard let membership = SystemText.read("/proc/self/cgroup"),
      let mounts = SystemText.read("/proc/self/mountinfo")
    else { return nil }
    let folders = ControlGroup.all(membership: membership, mounts: mounts).flatMap(\.folders)
    return folders.compactMap { folder in
      SystemText.read(folder + "/memory.max").flatMap { Int($0.prefix { $0.isNumber }) }
    }.min()
  }
}

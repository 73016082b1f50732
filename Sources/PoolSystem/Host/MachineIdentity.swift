#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a machine is called, and how much memory it has.
package enum MachineIdentity {
  /// The name of the host; empty if it has none.
  package static var hostName: [UInt8] {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return [] }
    return name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  /// Bytes of memory; nil if the system does not tell.
  package static var memory: Int64? {
    let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    return pages > 0 && size > 0 ? Int64(pages) * Int64(size) : nil
  }
}

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's table of mounts, `/proc/self/mountinfo`.
package enum QuotaMounts {
  /// Whether the file system of an open file was mounted with quotas; true if unknown.
  static func saysQuota(of descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0,
      let table = SystemFile.read("/proc/self/mountinfo")
    else { return true }
    let device = UInt64(truncatingIfNeeded: status.st_dev)
    // The two halves of a device number on Linux.
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
    let minor = device & 0xFF | (device >> 12) & ~0xFF & 0xFFFF_FFFF
    return saysQuota(table, device: "\(major):\(minor)")
  }

  /// Whether a table states a quota for a device; true if it lacks the device.
  package static func saysQuota(_ table: String, device: String) -> Bool {
    let lines = table.split(separator: "\n").map { $0.split(separator: " ") }
    guard let line = lines.first(where: { $0.count > 2 && $0[2] == device }) else { return true }
    let options = (line.last ?? "").split(separator: ",")
    return options.contains { $0.contains("quota") && $0 != "noquota" || $0.hasPrefix("jqfmt") }
  }
}

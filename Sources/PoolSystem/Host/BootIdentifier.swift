#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Identifies the current boot of the machine.
package enum BootIdentifier {
  /// A text that differs after each boot; nil if the system has none.
  package static let current: [UInt8]? = {
    #if canImport(Darwin)
    var count = 0
    guard sysctlbyname("kern.bootsessionuuid", nil, &count, nil, 0) == 0, count > 1 else {
      return nil
    }
    var text = [UInt8](repeating: 0, count: count)
    guard sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 else { return nil }
    return Array(text.prefix { $0 != 0 })
    #else
    let text = SystemFile.read("/proc/sys/kernel/random/boot_id")?.utf8.prefix {
      $0 > UInt8(ascii: " ")
    }
    return text.flatMap { $0.isEmpty ? nil : Array($0) }
    #endif
  }()
}

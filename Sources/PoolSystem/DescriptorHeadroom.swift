#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How many more descriptors the process may open.
package enum DescriptorHeadroom {
  /// Throws `EMFILE`, by name, unless so many more can be opened.
  ///
  /// New descriptors get the lowest free numbers, so that where the next one would be says how
  /// many are left.
  package static func demand(_ count: Int) throws(SystemFailure) {
    let next = try Descriptors.openNull()
    Descriptors.close(next)
    var limit = rlimit()
    #if canImport(Darwin)
    guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { throw .last("getrlimit") }
    #else
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw .last("getrlimit")
    }
    #endif
    guard UInt64(next) + UInt64(count) <= UInt64(limit.rlim_cur) else {
      throw SystemFailure(call: "opening \(count) descriptors", code: EMFILE)
    }
  }
}

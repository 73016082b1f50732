#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How long one argument or one variable of a program may be.
package enum ArgumentLimit {
  /// Number of bytes with the NUL at its end; nil where only the sum has a limit.
  package static let byteCount: Int? = {
    #if os(Linux)
    // MAX_ARG_STRLEN, which no call tells: see execve(2).
    32 * Int(getpagesize())
    #else
    nil
    #endif
  }()
}

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

  /// Number of bytes that the words of a program may have together beside this process's
  /// environment, the places of the words included, and with some room for more variables.
  package static var room: Int {
    let variables = ProcessEnvironment.current.entries.strings
    let taken = variables.reduce(0) { $0 + $1.count + 1 + MemoryLayout<Int>.size }
    return max(sysconf(Int32(_SC_ARG_MAX)) - taken - spare, 0)
  }

  /// Number of bytes that are left for variables of the worker, and for the system: 8 KiB.
  private static let spare = 8 << 10
}

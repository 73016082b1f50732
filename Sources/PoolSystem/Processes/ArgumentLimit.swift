#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Maximum length of one argument or one variable of a program.
package enum ArgumentLimit {
  /// Maximum number of bytes, including the NUL at the end; nil if only the sum is limited.
  package static let byteCount: Int? = {
    #if os(Linux)
    // MAX_ARG_STRLEN, which no system call returns: see execve(2).
    32 * Int(getpagesize())
    #else
    nil
    #endif
  }()

  /// Maximum number of bytes of all words of a program, including their pointers, beside this
  /// process's environment and with some room for more variables.
  package static var room: Int {
    let variables = ProcessEnvironment.current.entries.strings
    let taken = variables.reduce(0) { $0 + $1.count + 1 + MemoryLayout<Int>.size }
    return max(sysconf(Int32(_SC_ARG_MAX)) - taken - spare, 0)
  }

  /// Number of bytes reserved for variables of the worker, and for the system: 8 KiB.
  private static let spare = 8 << 10
}

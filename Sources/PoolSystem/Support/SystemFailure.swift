#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A system call that failed, and why.
package struct SystemFailure: Error, Hashable {
  /// The call's name, or what it was to do.
  package var call: String
  /// The number that the system gave: `errno`.
  package var code: Int32

  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The failure of the call that was made last on this thread.
  package static func last(_ call: String) -> Self {
    Self(call: call, code: errno)
  }

  /// Whether the system had too little of something: descriptors, processes, threads or memory.
  package var isShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(code) }

  /// Whether this process has as many descriptors as it may have, whatever others give back.
  package var isOwnLimit: Bool { code == EMFILE }

  /// Whether nobody is left at the other end.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// Whether the device does not work, as a terminal that was closed.
  package var isDeviceFault: Bool { code == EIO || code == ENXIO }

  /// The system's own words for the number, such as `No such file or directory`.
  package var reason: String { Self.reason(code) }

  /// The system's own words for a number.
  package static func reason(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}

extension SystemFailure: CustomStringConvertible {
  package var description: String { "\(call): \(reason)" }
}

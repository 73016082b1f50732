#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A system call that failed, and its error number.
package struct SystemFailure: Error, Hashable {
  /// The call's name, or its purpose.
  package var call: String
  /// The error number: `errno`.
  package var code: Int32
  /// The reason, if the system's text for the number would not say it.
  private let explanation: String?

  package init(call: String, code: Int32, explanation: String? = nil) {
    self.call = call
    self.code = code
    self.explanation = explanation
  }

  /// The failure of the latest call of this thread.
  package static func last(_ call: String) -> Self {
    Self(call: call, code: errno)
  }

  /// The failure for an existing file of the wrong type.
  package static func alreadyExists(_ call: String) -> Self { Self(call: call, code: EEXIST) }

  /// The failure of long work that was told not to go on.
  package static var cancelled: Self { Self(call: "copy", code: ECANCELED) }

  /// Whether the system lacked a resource: descriptors, processes, threads or memory.
  package var isShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(code) }

  /// Whether the process has reached its own limit of descriptors.
  package var isOwnLimit: Bool { code == EMFILE }

  /// Whether a disk, or the user's quota, is full.
  package var isDiskFull: Bool { [ENOSPC, EDQUOT].contains(code) }

  /// Whether a file is as large as it may be.
  var isSizeLimit: Bool { code == EFBIG }

  /// Whether a file cannot grow: the disk is full, or the file is as large as it may be.
  package var preventsGrowth: Bool { isDiskFull || isSizeLimit }

  /// Whether the reader of a pipe has gone.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// Whether the device does not work, such as a terminal that hung up.
  package var isDeviceFault: Bool { code == EIO || code == ENXIO }

  /// The explanation, or the system's text for the number, such as `No such file or directory`.
  package var reason: String { explanation ?? Self.reason(code) }

  /// The system's text for a number.
  package static func reason(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}

extension SystemFailure: CustomStringConvertible {
  package var description: String { explanation ?? "\(call): \(reason)" }
}

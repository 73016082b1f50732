#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files of others, to which is added.
package enum AppendedFile {
  /// Opens a file to which is added, and makes it if there is none; throws for what is no regular
  /// file, and waits for no reader of a pipe.
  package static func open(path: [UInt8]) throws(SystemFailure) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = try Descriptors.open(path, flags)
    guard FileIdentity(file)?.isRegular == true else {
      Descriptors.close(file)
      throw SystemFailure(call: "open", code: EINVAL, explanation: "it is no regular file")
    }
    return file
  }
}

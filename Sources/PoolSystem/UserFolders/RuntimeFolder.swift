#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The folder of a user's sockets: only this user may enter it.
package struct RuntimeFolder: Hashable, Sendable {
  package let path: [UInt8]

  /// The folder of that name in `$XDG_RUNTIME_DIR`, or a folder of this user in `/tmp`.
  package init(named name: String, in environment: ProcessEnvironment) {
    self.init(
      named: name,
      runtime: environment.value(of: "XDG_RUNTIME_DIR"),
      user: UInt32(geteuid())
    )
  }

  /// The same with the value of `XDG_RUNTIME_DIR`.
  package init(named name: String, runtime: [UInt8]?, user: UInt32) {
    let isUsable = runtime?.first == UInt8(ascii: "/")
    path = isUsable ? (runtime ?? []) + Array("/\(name)".utf8) : Array("/tmp/\(name)-\(user)".utf8)
  }

  /// Makes the folder unless it is there; throws if another user could enter it.
  package func make() throws(SystemFailure) {
    if path.withCString({ mkdir($0, 0o700) }) != 0, errno != EEXIST { throw .last("mkdir") }
    if let failure = flaw { throw failure }
  }

  /// Whether it is there, and only this user may enter it.
  package var isSafe: Bool { flaw == nil }

  private var flaw: SystemFailure? {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { return .last("lstat") }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      return SystemFailure(
        call: "lstat",
        code: EPERM,
        explanation: "it is not a folder that only this user may enter"
      )
    }
    return nil
  }

  /// The names in it.
  package var names: [[UInt8]] { FolderListing.names(in: path) }
}

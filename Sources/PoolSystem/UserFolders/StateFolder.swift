#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A folder for what a program keeps of each user from one run to the next, and the user does not
/// edit; named as the XDG Base Directory Specification says.
package struct StateFolder: Hashable, Sendable {
  /// Its absolute path; it may not exist.
  package let path: [UInt8]

  /// The folder of that name in `$XDG_STATE_HOME`, or in `~/.local/state`; nil where neither
  /// variable is an absolute path.
  package init?(named name: String, in environment: ProcessEnvironment) {
    self.init(
      named: name,
      home: environment.value(of: "HOME"),
      stateHome: environment.value(of: "XDG_STATE_HOME")
    )
  }

  /// The same with the values of `HOME` and `XDG_STATE_HOME`.
  package init?(named name: String, home: [UInt8]?, stateHome: [UInt8]?) {
    let usual = Self.absolute(home).map { $0 + Array("/.local/state".utf8) }
    guard let root = Self.absolute(stateHome) ?? usual else { return nil }
    path = root + Array("/\(name)".utf8)
  }

  private static func absolute(_ path: [UInt8]?) -> [UInt8]? {
    path?.first == UInt8(ascii: "/") ? path : nil
  }

  private func path(of name: [UInt8]) -> [UInt8] { path + [UInt8(ascii: "/")] + name }

  /// The names in it; none if it does not exist, or cannot be read.
  package var names: [[UInt8]] { FolderListing.names(in: path) }

  /// Bytes of a regular file; nil for anything else.
  package func size(of name: [UInt8]) -> Int64? {
    var status = stat()
    guard path(of: name).withCString({ lstat($0, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int64(status.st_size)
  }

  /// Creates a file that only its owner can read, and the folders that are missing; returns its
  /// descriptor, and its path.
  package func create(_ name: [UInt8]) throws(SystemFailure) -> (descriptor: Int32, path: [UInt8]) {
    LockWatch.assertUnlocked()
    let ends = path.indices.dropFirst().filter { path[$0] == UInt8(ascii: "/") } + [path.endIndex]
    for end in ends {
      guard Array(path[..<end]).withCString({ mkdir($0, 0o700) }) != 0, errno != EEXIST else {
        continue
      }
      // What exists, and may not be looked into, is found out when the file is opened.
      if errno != EACCES, errno != EROFS { throw .last("mkdir") }
    }
    let file = path(of: name)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC
    return (try Descriptors.open(file, flags, mode: 0o600), file)
  }

  /// Removes a file, if it is there.
  package func remove(_ name: [UInt8]) { FilePath.remove(path(of: name)) }

  /// The path of a file in it.
  package func file(named name: [UInt8]) -> [UInt8] { path(of: name) }
}

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Checks of files and folders.
package enum FileCheck {
  /// The path, seen from this process, of one that is relative to a folder.
  package static func path(_ path: [UInt8], from directory: [UInt8]?) -> [UInt8] {
    guard let directory, path.first != UInt8(ascii: "/") else { return path }
    return directory + [UInt8(ascii: "/")] + path
  }

  /// 0 if the file can be executed; otherwise the error number.
  package static func executability(of path: [UInt8]) -> Int32 {
    status(of: path, type: S_IFREG)
  }

  /// 0 if the folder can be entered; otherwise the error number.
  package static func enterability(of path: [UInt8]) -> Int32 {
    status(of: path, type: S_IFDIR)
  }

  private static func status(of path: [UInt8], type: mode_t) -> Int32 {
    path.withCString { text in
      var status = stat()
      guard stat(text, &status) == 0 else { return errno }
      guard status.st_mode & S_IFMT == type else { return type == S_IFDIR ? ENOTDIR : EACCES }
      return access(text, X_OK) == 0 ? 0 : errno
    }
  }
}

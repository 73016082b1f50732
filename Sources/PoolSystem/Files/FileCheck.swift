#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Checks of files and folders.
package enum FileCheck {
  /// The path, seen from this process, of a place that is relative to a folder.
  package static func place(_ place: [UInt8], from directory: [UInt8]?) -> [UInt8] {
    guard let directory, place.first != UInt8(ascii: "/") else { return place }
    return directory + [UInt8(ascii: "/")] + place
  }

  /// 0 if the file can be executed; otherwise the error number.
  package static func executability(of place: [UInt8]) -> Int32 {
    status(of: place, type: S_IFREG)
  }

  /// 0 if the folder can be entered; otherwise the error number.
  package static func enterability(of place: [UInt8]) -> Int32 {
    status(of: place, type: S_IFDIR)
  }

  private static func status(of place: [UInt8], type: mode_t) -> Int32 {
    place.withCString { text in
      var status = stat()
      guard stat(text, &status) == 0 else { return errno }
      guard status.st_mode & S_IFMT == type else { return type == S_IFDIR ? ENOTDIR : EACCES }
      return access(text, X_OK) == 0 ? 0 : errno
    }
  }
}

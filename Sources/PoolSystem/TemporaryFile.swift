import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files without a name, in `$TMPDIR` or `/tmp`: they are gone when the last descriptor is.
package enum TemporaryFile {
  /// Opens a new one, for reading and appending; close-on-exec.
  ///
  /// Appending, so that two programs that share it, or one that opens `/dev/stdout` anew, do not
  /// write over each other.
  package static func open() throws(SystemFailure) -> Int32 {
    let directory = folder
    let descriptor = opool_open_unnamed(directory)
    return descriptor >= 0 ? descriptor : try openAndUnlink(in: directory)
  }

  /// Whether one is as it was made: empty, without a name, and to be appended to.
  package static func isUntouched(_ descriptor: Int32) -> Bool {
    var status = stat()
    let flags = fcntl(descriptor, F_GETFL)
    return fstat(descriptor, &status) == 0 && status.st_size == 0 && status.st_nlink == 0
      && status.st_mode == S_IFREG | 0o600 && flags >= 0
      && flags & (O_ACCMODE | O_APPEND | O_NONBLOCK) == O_RDWR | O_APPEND
  }

  /// Opens a new one that holds these bytes, to be read from its start.
  package static func open(holding bytes: [UInt8]) throws(SystemFailure) -> Int32 {
    let descriptor = try open()
    do throws(SystemFailure) {
      try SystemIO.writeAll(descriptor, bytes)
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last("lseek") }
    } catch {
      Descriptors.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Where temporary files are made.
  static var folder: String {
    guard let value = getenv("TMPDIR"), value.pointee != 0 else { return "/tmp" }
    return String(cString: value)
  }

  /// For file systems that have no files without names.
  private static func openAndUnlink(in directory: String) throws(SystemFailure) -> Int32 {
    var template = Array("\(directory)/opool-XXXXXX".utf8CString)
    let descriptor = opool_open_named(&template)
    guard descriptor >= 0 else { throw .last("mkstemp in \(directory)") }
    unlink(template)
    return descriptor
  }
}

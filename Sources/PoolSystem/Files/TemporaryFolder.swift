import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The folder for temporary files.
package enum TemporaryFolder {
  /// Folders for temporary files: the first usable one is taken.
  ///
  /// The one that the user named may be missing or not writable; a system has others.
  static var candidates: [[UInt8]] {
    let usual = ["/tmp", "/var/tmp"].map { Array($0.utf8) }
    guard let value = getenv("TMPDIR"), value.pointee != 0 else { return usual }
    return [Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))] + usual
  }

  /// Where private folders are made; the last place is in memory.
  static var folderCandidates: [[UInt8]] { candidates + [Array("/dev/shm".utf8)] }

  /// A path in a folder, with a final zero, whose last six characters a system call replaces.
  static func template(in folder: [UInt8], _ prefix: String) -> [CChar] {
    (folder + Array("/\(prefix)XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
  }

  /// A path for a message; it need not be UTF-8, and the user may have named it.
  static func text(_ folder: [UInt8]) -> String { Printable.text(folder) }

  /// The folder of an open temporary file; `memory` if it is in none.
  ///
  /// Of folders in one file system, it is the first that can be written to.
  package static func name(of descriptor: Int32) -> String {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return "TMPDIR" }
    let folder = candidates.first { candidate in
      var status = stat()
      return candidate.withCString { path in
        stat(path, &status) == 0 && status.st_dev == file.st_dev && access(path, W_OK | X_OK) == 0
      }
    }
    return folder.map(text) ?? "memory"
  }

  /// The failure of a write to a temporary file, with the folder and what the user can do.
  package static func explain(_ failure: SystemFailure, of descriptor: Int32) -> SystemFailure {
    let place = name(of: descriptor)
    let call =
      failure.isDiskFull
      ? "\(place) is full, make room or set TMPDIR"
      : failure.isSizeLimit
        ? "the limit on file sizes is reached, raise it with ulimit -f"
        : "\(failure.call) in \(place)"
    return SystemFailure(call: call, code: failure.code)
  }
}

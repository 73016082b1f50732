import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files without a name, in the folder for temporary files: the last close deletes them.
package enum TemporaryFile {
  /// Opens a new file for reading and appending; close-on-exec.
  ///
  /// Appending, so that two programs that share it, or one that opens `/dev/stdout` again, do not
  /// overwrite each other. It is in memory if no folder can be used.
  package static func open() throws(SystemFailure) -> Int32 {
    var obstacle: SystemFailure?
    return try open(&obstacle)
  }

  /// Opens a new file; sets `obstacle` if the first folder cannot be used.
  private static func open(_ obstacle: inout SystemFailure?) throws(SystemFailure) -> Int32 {
    for folder in TemporaryFolder.candidates {
      do throws(SystemFailure) {
        return try open(in: folder)
      } catch {
        guard error.makesFolderUseless else { throw error }
        // Reports the problem of the folder that the user named.
        obstacle = obstacle ?? error
      }
    }
    let memory = opool_open_memory_file()
    if memory >= 0 { return memory }
    throw obstacle ?? .last("memfd_create")
  }

  /// Why temporary files are not in the first folder, and where they are; nil if they are.
  ///
  /// Also nil if the problem is only a shortage. Throws if no place can be used.
  package static func detour() throws(SystemFailure) -> (SystemFailure, place: String)? {
    let (obstacle, place) = trial()
    guard let place else {
      guard let obstacle, obstacle.makesFolderUseless else { return nil }
      throw obstacle
    }
    return obstacle.map { ($0, place) }
  }

  /// Opens a file once; tells what is wrong with the first folder, and where the file was; nil where
  /// it could not be opened at all.
  static func trial() -> (obstacle: SystemFailure?, place: String?) {
    var obstacle: SystemFailure?
    do throws(SystemFailure) {
      let descriptor = try open(&obstacle)
      defer { Descriptors.close(descriptor) }
      let first = TemporaryFolder.text(TemporaryFolder.candidates[0])
      return (obstacle, obstacle == nil ? first : TemporaryFolder.name(of: descriptor))
    } catch {
      return (error, nil)
    }
  }

  private static func open(in folder: [UInt8]) throws(SystemFailure) -> Int32 {
    LockWatch.assertUnlocked()
    let descriptor = folder.withCString { opool_open_unnamed($0) }
    return descriptor >= 0 ? descriptor : try openAndUnlink(in: folder)
  }

  /// Opens a new file with these bytes, to be read from its start.
  package static func open(holding bytes: [UInt8]) throws(SystemFailure) -> Int32 {
    let descriptor = try open()
    do throws(SystemFailure) {
      try SystemIO.writeAll(descriptor, bytes)
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last("lseek") }
    } catch {
      let failure = TemporaryFolder.explain(error, of: descriptor)
      Descriptors.close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// Opens a new file with these bytes, in memory where the system has such files.
  package static func openInMemory(
    holding bytes: UnsafeRawBufferPointer
  ) throws(SystemFailure) -> Int32 {
    LockWatch.assertUnlocked()
    let memory = opool_open_memory_file()
    let descriptor = memory >= 0 ? memory : try open()
    do throws(SystemFailure) {
      try SystemIO.writeAll(descriptor, bytes)
    } catch {
      Descriptors.close(descriptor)
      throw error
    }
    return descriptor
  }

  /// For file systems that have no files without names.
  private static func openAndUnlink(in folder: [UInt8]) throws(SystemFailure) -> Int32 {
    LockWatch.assertUnlocked()
    var template = TemporaryFolder.template(in: folder, "opool-")
    let descriptor = opool_open_named(&template)
    guard descriptor >= 0 else { throw .last("mkstemp in \(TemporaryFolder.text(folder))") }
    unlink(template)
    return descriptor
  }
}

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

  /// A path for a message; it need not be UTF-8.
  static func text(_ folder: [UInt8]) -> String { String(decoding: folder, as: UTF8.self) }

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
      failure.isLackOfRoom
      ? "\(place) is full, make room or set TMPDIR" : "\(failure.call) in \(place)"
    return SystemFailure(call: call, code: failure.code)
  }
}

extension SystemFailure {
  /// Whether a folder can never be used, not only now.
  fileprivate var makesFolderUseless: Bool {
    [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG].contains(code)
  }

  /// Whether a disk, or the user's quota, is full.
  package var isLackOfRoom: Bool { [ENOSPC, EDQUOT].contains(code) }
}

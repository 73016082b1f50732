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
  /// It is in memory if no folder can be used.
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

  /// Opens a file once; tells what is wrong with the first folder, and where the file was; nil
  /// where it could not be opened at all.
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

extension SystemFailure {
  /// Whether a folder can never be used, not only now.
  fileprivate var makesFolderUseless: Bool {
    [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG].contains(code)
  }
}

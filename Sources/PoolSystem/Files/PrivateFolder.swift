import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A new folder beside the temporary files, which only this user may enter.
package struct PrivateFolder: Sendable {
  /// Its absolute path.
  package let path: [UInt8]

  private let root: FolderRoot
  private let number: Int

  /// Makes an empty folder; it exists until it is removed or, after the end of this process, until
  /// another process of the user sweeps (``StaleFolders``).
  package init() throws(SystemFailure) {
    LockWatch.assertUnlocked()
    (root, number) = try FolderRoot.enter()
    path = root.path(of: number)
  }

  /// Writes a new file and returns its path; the name has no slash.
  package func write(_ bytes: [UInt8], to name: String) throws(SystemFailure) -> [UInt8] {
    LockWatch.assertUnlocked()
    let file = path + [UInt8(ascii: "/")] + Array(name.utf8)
    let descriptor = try Descriptors.createFile(path: file)
    defer { Descriptors.close(descriptor) }
    do throws(SystemFailure) {
      // The umask may withhold rights from the owner, too.
      guard opool_grant_owner(descriptor, 0o600) == 0 else { throw .last("fchmod") }
      try SystemIO.writeAll(descriptor, bytes)
      try Descriptors.confirmWrites(to: descriptor)
    } catch {
      throw TemporaryFolder.explain(error, of: descriptor)
    }
    return file
  }

  /// Gives a name to an open file without one, and returns its path; the name has no slash.
  ///
  /// Throws if the system cannot do it: the file is in another file system or was made without the
  /// right to a name, or there is no `/proc`.
  package func link(_ descriptor: Int32, as name: String) throws(SystemFailure) -> [UInt8] {
    LockWatch.assertUnlocked()
    let file = path + [UInt8(ascii: "/")] + Array(name.utf8)
    let code = file.withCString { file in
      linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, file, AT_SYMLINK_FOLLOW)
    }
    guard code == 0 else { throw .last("linkat") }
    return file
  }

  /// Removes the folder with its content; a second call does nothing.
  package func remove() {
    LockWatch.assertUnlocked()
    _ = path.withCString { opool_remove_tree($0) }
    root.leave(number)
  }
}

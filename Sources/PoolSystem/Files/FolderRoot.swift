import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The one folder that contains the private folders of this process, while it has any.
///
/// It is locked through a descriptor that children do not inherit. So the lock tells whether its
/// maker lives, which a process number cannot.
final class FolderRoot: Sendable {
  private struct State {
    /// The private folders that were not removed yet.
    var members: Set<Int> = []
    var next = 1
    var isClosed = false
  }

  /// The start of the names; six characters follow.
  static let prefix = "opool-run-"

  private static let current = Monitor<FolderRoot?>(nil)

  private let path: [UInt8]
  private let lock: Int32
  private let state = Monitor(State())

  /// Makes a private folder in this process's root, or in a new one.
  static func enter() throws(SystemFailure) -> (FolderRoot, Int) {
    try current.withLock { current throws(SystemFailure) in
      if let root = current, let number = root.makeMember() { return (root, number) }
      // The first root, or another process has removed the earlier one.
      let root = try FolderRoot()
      current = root
      if let number = root.makeMember() { return (root, number) }
      let failure = SystemFailure.last("mkdir")
      root.closeIfUnused()
      throw failure
    }
  }

  private init() throws(SystemFailure) {
    (path, lock) = try Self.make()
  }

  deinit {
    if !state.withLock({ $0.isClosed }) { Descriptors.close(lock) }
  }

  func path(of member: Int) -> [UInt8] { path + Array("/\(member)".utf8) }

  /// Makes a private folder; nil if the root no longer exists.
  private func makeMember() -> Int? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      let number = state.next
      // The umask may withhold rights from the owner, too.
      let isMade = path(of: number).withCString { mkdir($0, 0o700) == 0 && chmod($0, 0o700) == 0 }
      guard isMade else { return nil }
      state.next += 1
      state.members.insert(number)
      return number
    }
  }

  /// A private folder was removed; the last one removes the root, too, with everything that could
  /// not be removed earlier.
  func leave(_ member: Int) {
    let isMember = state.withLock { $0.members.remove(member) != nil }
    if isMember { closeIfUnused() }
  }

  /// Removes the root if it has no members.
  ///
  /// A root that cannot be removed stays in use: the next member that leaves tries again.
  private func closeIfUnused() {
    state.withLock { state in
      guard !state.isClosed, state.members.isEmpty,
        path.withCString({ opool_remove_locked_folder(lock, $0) }) == 0
      else { return }
      state.isClosed = true
      Descriptors.close(lock)
    }
  }

  private static func make() throws(SystemFailure) -> ([UInt8], Int32) {
    var obstacle: SystemFailure?
    for folder in TemporaryFolder.folderCandidates {
      do throws(SystemFailure) {
        return try make(in: folder)
      } catch {
        obstacle = obstacle ?? error
      }
    }
    throw obstacle ?? SystemFailure(call: "mkdtemp", code: ENOENT)
  }

  private static func make(in folder: [UInt8]) throws(SystemFailure) -> ([UInt8], Int32) {
    // The folder may be named relative to this process's own, and other processes would not find
    // it.
    guard let base = folder.withCString({ realpath($0, nil) }) else {
      throw .last("realpath of \(TemporaryFolder.text(folder))")
    }
    defer { free(base) }
    let path = Array(UnsafeRawBufferPointer(start: base, count: strlen(base)))
    // Each failure means that a sweep has removed a folder; there are never a hundred sweeps at
    // once.
    for _ in 0..<100 {
      var template = TemporaryFolder.template(in: path, prefix)
      let lock = opool_make_locked_folder(&template)
      if lock >= 0 { return (template.dropLast().map { UInt8(bitPattern: $0) }, lock) }
      guard errno == EAGAIN else { break }
    }
    throw .last("mkdtemp in \(TemporaryFolder.text(folder))")
  }
}

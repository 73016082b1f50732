import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The one folder below which this process has its private ones, while it has any.
///
/// It is locked through a descriptor that what this process starts does not inherit. So the lock
/// says whether its maker lives, which a process number cannot.
final class FolderRoot: Sendable {
  private struct State {
    /// The private folders that were not removed yet.
    var members: Set<Int> = []
    var next = 1
    var isClosed = false
  }

  /// What the names begin with; six characters follow.
  static let prefix = "opool-run-"

  private static let current = Monitor<FolderRoot?>(nil)

  private let path: [UInt8]
  private let lock: Int32
  private let state = Monitor(State())

  /// Makes a private folder in this process's root, or in a new one.
  static func enter() throws(SystemFailure) -> (FolderRoot, Int) {
    let result = current.withLock { current in
      Result { () throws(SystemFailure) in
        if let root = current, let number = root.makeMember() { return (root, number) }
        // The first, or somebody has removed the other one.
        let root = try FolderRoot()
        current = root
        if let number = root.makeMember() { return (root, number) }
        let failure = SystemFailure.last("mkdir")
        root.closeIfUnused()
        throw failure
      }
    }
    return try result.get()
  }

  private init() throws(SystemFailure) {
    (path, lock) = try Self.make()
  }

  deinit {
    if !state.withLock({ $0.isClosed }) { Descriptors.close(lock) }
  }

  func path(of member: Int) -> [UInt8] { path + Array("/\(member)".utf8) }

  /// nil where the root is not there any more.
  private func makeMember() -> Int? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      let number = state.next
      guard path(of: number).withCString({ mkdir($0, 0o700) }) == 0 else { return nil }
      state.next += 1
      state.members.insert(number)
      return number
    }
  }

  /// Notes that a private folder was removed; the last one takes the root along, with what could not be
  /// removed earlier.
  func leave(_ member: Int) {
    let isMember = state.withLock { $0.members.remove(member) != nil }
    if isMember { closeIfUnused() }
  }

  /// Removes the root if it has no members.
  ///
  /// A root that cannot be removed stays in use: it is tried again
  /// when the next member leaves.
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

  private static func make(in folder: String) throws(SystemFailure) -> ([UInt8], Int32) {
    // The folder may be named relative to this process's own, where others would not look for it.
    guard let base = realpath(folder, nil) else { throw .last("realpath of \(folder)") }
    defer { free(base) }
    // Each sweep that is in the way has removed a folder; so many are not under way at once.
    for _ in 0..<100 {
      var template = Array("\(String(cString: base))/\(prefix)XXXXXX".utf8CString)
      let lock = opool_make_locked_folder(&template)
      if lock >= 0 { return (template.dropLast().map { UInt8(bitPattern: $0) }, lock) }
      guard errno == EAGAIN else { break }
    }
    throw .last("mkdtemp in \(folder)")
  }
}

package import PoolSystem

/// The file of a journal, locked by this process.
package final class JournalFile: JournalStorage {
  package let path: [UInt8]
  private let descriptor: Int32

  private init(_ path: [UInt8], _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { Descriptors.close(descriptor) }

  /// Opens the file, or creates it; throws if another process has it.
  ///
  /// Waits until all processes that an earlier run started have ended. If that takes long,
  /// `waiting` is called once, with a sentence for people.
  package static func open(
    path: [UInt8],
    waiting: (String) -> Void = { _ in }
  ) throws(JournalError) -> JournalFile {
    while true {
      let file = JournalFile(
        path,
        try JournalError.system { () throws(SystemFailure) in try DurableFile.open(path: path) }
      )
      let isOwn = try JournalError.system { () throws(SystemFailure) in try file.awaitLock() }
      guard isOwn else { throw JournalError(.inUse, "another process has this journal") }
      // Another process may have replaced the file before it was locked.
      let isCurrent = try JournalError.system { () throws(SystemFailure) in
        try DurableFile.isFile(file.descriptor, at: path)
      }
      guard isCurrent else { continue }
      try file.awaitGuardians(of: JournalWaitPolicy(), waiting)
      return file
    }
  }

  /// Nanoseconds for which another process may seem to have the file: 500 ms.
  ///
  /// A forked process has all descriptors until it executes its program. So one that is killed in
  /// this moment keeps the lock a moment longer.
  private static let patience: Int64 = 500_000_000
  private static let pause: Int64 = 5_000_000

  /// Locks the file for this process; false if another one keeps it.
  private func awaitLock() throws(SystemFailure) -> Bool {
    let deadline = MonotonicClock.now + Self.patience
    let never = Monitor(false)
    while try !DurableFile.lock(descriptor) {
      if MonotonicClock.now >= deadline { return false }
      _ = never.wait(until: MonotonicClock.now + Self.pause, while: { !$0 })
    }
    return true
  }

  /// Waits for guardians that still end processes of an earlier run.
  private func awaitGuardians(
    of wait: consuming JournalWaitPolicy,
    _ waiting: (String) -> Void
  ) throws(JournalError) {
    let start = MonotonicClock.now
    let never = Monitor(false)
    while let holder = Guardian.holder(ofJournal: descriptor) {
      let state = JournalWaitPolicy.State(holder, isStopped: ProcessStatus.isStopped(holder))
      switch wait.next(state, after: MonotonicClock.now - start) {
      case .wait: break
      case .say(let sentence):
        waiting(sentence)
        // Its own run would have continued it.
        Guardian.wake(holder)
      case .giveUp(let error): throw error
      }
      _ = never.wait(until: MonotonicClock.now + Self.pause, while: { !$0 })
    }
  }

  /// All bytes of the file; read once.
  package func readAll() throws(JournalError) -> [UInt8] {
    try JournalError.system { () throws(SystemFailure) in try SystemIO.readAll(descriptor) }
  }

  package func append(_ bytes: [UInt8]) throws(SystemFailure) {
    try SystemIO.writeAll(descriptor, bytes)
  }

  package func sync() throws(SystemFailure) { try DurableFile.sync(descriptor) }

  package func cut(to count: Int) throws(SystemFailure) {
    try DurableFile.cut(descriptor, to: Int64(count))
  }

  /// Syncs the file's name.
  package func syncFolder() throws(SystemFailure) {
    try DurableFile.syncFolder(of: FilePath.resolve(path), holding: descriptor)
  }

  package func confirm() throws(SystemFailure) {
    try Descriptors.confirmWrites(to: descriptor)
  }

  /// Whether only its owner can read it.
  package var isPrivate: Bool { DurableFile.isPrivate(descriptor) }

  package func check(byteCount: Int) throws(JournalError) {
    let condition = try JournalError.system { () throws(SystemFailure) in
      try DurableFile.condition(of: descriptor, at: path)
    }
    switch condition {
    case .present(Int64(byteCount)): return
    case .present(let count) where count < byteCount:
      throw JournalError(.tampered, "the journal was truncated during the run")
    case .present:
      throw JournalError(.tampered, "another process wrote to the journal during the run")
    case .deleted: throw JournalError(.tampered, "the journal was deleted during the run")
    case .replaced:
      throw JournalError(.tampered, "the journal was moved or replaced during the run")
    }
  }

  /// Replaces this file atomically by one with these bytes, and returns that; on failure this one
  /// stays as it is.
  package func replace(with bytes: [UInt8]) throws(JournalError) -> JournalFile {
    try JournalError.system { () throws(SystemFailure) in
      let target = try FilePath.resolve(path)
      let draft = target + Array(".\(CurrentProcess.identifier).new".utf8)
      // An existing one was left by a dead process with the same number.
      FilePath.remove(draft)
      let file = JournalFile(path, try DurableFile.create(path: draft, like: descriptor))
      do throws(SystemFailure) {
        // Locked before it gets the name, so that no other process can lock it.
        _ = try DurableFile.lock(file.descriptor)
        try file.append(bytes)
        try file.sync()
        try FilePath.rename(draft, to: target)
        try DurableFile.syncFolder(of: target, holding: file.descriptor)
      } catch {
        FilePath.remove(draft)
        throw error
      }
      return file
    }
  }
}

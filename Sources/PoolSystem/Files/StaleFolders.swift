import CPoolSystem

/// Temporary folders that dead processes of this user have left.
///
/// A process may be killed at any moment, so other processes clean up: the next run at its start,
/// and a run after its own workers.
package enum StaleFolders {
  private struct State {
    var areExpected = false
    var isSweeping = false
    var isAskedAgain = false
    var hasSwept = false
  }

  /// Number of names that a sweep reads in each folder for temporary files.
  private static let limit: Int32 = 100_000

  private static let state = Monitor(State())

  /// From now on, workers of this process may make folders.
  package static func expect() { state.withLock { $0.areExpected = true } }

  /// A worker of this process was killed or has failed: sweeps, if it may have left a folder.
  package static func workerDied() {
    guard state.withLock({ $0.areExpected }) else { return }
    sweepInBackground()
  }

  /// Sweeps in the background, once per process.
  package static func sweepOnce() {
    guard state.withLock({ !$0.hasSwept }) else { return }
    sweepInBackground()
  }

  /// Sweeps in the background; if a sweep is under way, once more after it, because it may have
  /// missed something.
  package static func sweepInBackground() {
    let starts = state.withLock { state in
      state.hasSwept = true
      state.isAskedAgain = state.isSweeping
      defer { state.isSweeping = true }
      return !state.isSweeping
    }
    guard starts else { return }
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-sweeper", mask: .full, work).detach()
    } catch {
      // Without a thread, the next run sweeps.
      state.withLock { $0.isSweeping = false }
    }
  }

  @Sendable private static func work() {
    repeat { sweep() } while isAskedAgain()
  }

  private static func isAskedAgain() -> Bool {
    state.withLock { state in
      defer { state.isAskedAgain = false }
      state.isSweeping = state.isAskedAgain
      return state.isAskedAgain
    }
  }

  private static func sweep() {
    for folder in TemporaryFolder.folderCandidates { sweep(in: folder) }
  }

  /// Removes the folders whose makers are dead; returns their number.
  @discardableResult
  package static func sweep(in folder: [UInt8]) -> Int {
    max(0, Int(folder.withCString { opool_sweep_folders($0, FolderRoot.prefix, limit) }))
  }
}

import Dispatch
package import PoolEvents
package import PoolModel
package import PoolSystem
import PoolWire
import Synchronization

/// Keeps records that no option asks for, so that `opool report` can show the run.
///
/// Nothing waits for the file, and no failure to write it concerns the run.
package final class KeptRun: RunReader, Sendable {
  private struct State {
    var writer = JSONWriter()
    var policy = KeptRunPolicy()
    var hasGivenUp = false
    var isWriting = false
  }

  /// What the thread that writes has come to.
  private struct File {
    var descriptor: Int32?
    var path: [UInt8]?
    var failure: String?
  }

  private let folder: StateFolder
  private let name: RunFileName
  private let count: Int
  private let now: @Sendable () -> Instant
  private let state = Mutex(State())
  private let file = Mutex(File())
  private let queue = DispatchQueue(label: "opool-kept-run")

  /// Keeps a run among so many others.
  package init(
    in folder: StateFolder,
    as name: RunFileName,
    among count: Int,
    now: @escaping @Sendable () -> Instant
  ) {
    (self.folder, self.name, self.count, self.now) = (folder, name, count, now)
  }

  package var kinds: RunRecord.Kinds { .all }

  package func take(_ record: RunRecord) {
    let now = now()
    state.withLock { state in
      guard !state.hasGivenUp else { return }
      record.append(to: &state.writer, at: now)
      advance(&state, at: now)
    }
  }

  private func advance(_ state: inout State, at now: Instant) {
    switch state.policy.step(state.writer.bytes.count, at: now) {
    case .wait: break
    case .write:
      let bytes = state.writer.bytes
      state.writer = JSONWriter()
      state.isWriting = true
      queue.async { self.write(bytes) }
    case .giveUp:
      state.hasGivenUp = true
      state.writer = JSONWriter()
      queue.async { self.giveUp("they would have more than 50 MB") }
    }
  }

  /// The run has ended: what is left is written, if the run is kept.
  ///
  /// Waits no longer than that many nanoseconds. Returns a line for people.
  package func finish(within time: Int64) -> String? {
    let isKept = state.withLock { state in
      guard state.isWriting, !state.hasGivenUp else { return state.hasGivenUp }
      let bytes = state.writer.bytes
      queue.async { self.write(bytes) }
      return true
    }
    guard isKept else { return nil }
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { isWritten.signal() }
    guard isWritten.wait(timeout: .now() + .nanoseconds(Int(time))) == .success else {
      return "the records of this run are not kept: they could not be written in time"
    }
    return file.withLock { file in
      if let failure = file.failure { return "the records of this run are not kept: \(failure)" }
      return file.path.map { "the records of this run are in \(Printable.name($0))" }
    }
  }

  // MARK: On the queue

  private func write(_ bytes: [UInt8]) {
    guard file.withLock({ $0.failure == nil }) else { return }
    do throws(SystemFailure) {
      try SystemIO.writeAll(try descriptor(), bytes)
    } catch {
      giveUp(error.reason)
    }
  }

  /// The file, which is made with the first records; older runs make room for it.
  private func descriptor() throws(SystemFailure) -> Int32 {
    if let descriptor = file.withLock({ $0.descriptor }) { return descriptor }
    let made = try folder.create(name.bytes)
    file.withLock { ($0.descriptor, $0.path) = (made.descriptor, made.path) }
    KeptRunFolder(folder).prune(to: count)
    return made.descriptor
  }

  private func giveUp(_ reason: String) {
    let hadFile = file.withLock { file in
      file.failure = reason
      defer { file.descriptor = nil }
      if let descriptor = file.descriptor { Descriptors.close(descriptor) }
      return file.descriptor != nil
    }
    if hadFile { folder.remove(name.bytes) }
  }
}

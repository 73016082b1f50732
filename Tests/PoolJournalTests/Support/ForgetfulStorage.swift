import PoolJournal
import PoolSystem

/// A file on a disk that forgets, when the machine stops, all that came after its last sync.
final class ForgetfulStorage: JournalStorage {
  struct State {
    var bytes: [UInt8] = []
    /// How many bytes outlive the machine.
    var syncedCount = 0
    var appendCount = 0
    var syncCount = 0
    /// The append, counted from 1, that writes this many bytes and fails.
    var failingAppend: (number: Int, byteCount: Int)?
    /// The sync, counted from 1, from which on all fail.
    var failingSync = Int.max
    var refusesCut = false
    var isTampered = false
    /// Called once, during the next append.
    var onAppend: (@Sendable () -> Void)?
  }

  private let state: Monitor<State>

  init(_ change: (inout State) -> Void = { _ in }) {
    var state = State()
    change(&state)
    self.state = Monitor(state)
  }

  /// What a process finds that opens the file.
  var bytes: [UInt8] { state.withLock { $0.bytes } }

  /// What is left when the machine stops now.
  var survivingBytes: [UInt8] { state.withLock { Array($0.bytes[..<$0.syncedCount]) } }

  var syncCount: Int { state.withLock { $0.syncCount } }

  var appendCount: Int { state.withLock { $0.appendCount } }

  /// Another process does something to the file.
  func tamper() { state.withLock { $0.isTampered = true } }

  /// Has a closure called during the next append, as by another thread.
  func duringAppend(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onAppend = body }
  }

  func check(byteCount: Int) throws(JournalError) {
    if state.withLock({ $0.isTampered }) { throw JournalError(.tampered, "somebody was here") }
  }

  /// Waits until all that was appended is synced.
  func awaitSync() {
    state.wait(while: { $0.syncedCount < $0.bytes.count }, then: { _ in })
  }

  func append(_ bytes: [UInt8]) throws(SystemFailure) {
    state.withLock { $0.onAppend.take() }?()
    let failure: SystemFailure? = state.withLock { state in
      state.appendCount += 1
      guard let failing = state.failingAppend, failing.number == state.appendCount else {
        state.bytes += bytes
        return nil
      }
      state.bytes += bytes.prefix(failing.byteCount)
      return SystemFailure(call: "write", code: 28)
    }
    if let failure { throw failure }
  }

  func sync() throws(SystemFailure) {
    let hasFailed = state.withLock { state in
      state.syncCount += 1
      if state.syncCount >= state.failingSync { return true }
      state.syncedCount = state.bytes.count
      return false
    }
    state.broadcast()
    if hasFailed { throw SystemFailure(call: "fdatasync", code: 5) }
  }

  func cut(to count: Int) throws(SystemFailure) {
    let isRefused = state.withLock { state in
      if !state.refusesCut { state.bytes.removeLast(max(0, state.bytes.count - count)) }
      return state.refusesCut
    }
    if isRefused { throw SystemFailure(call: "ftruncate", code: 5) }
  }
}

import Dispatch
import PoolAnalysis
import PoolEvents
import PoolModel
import Synchronization

/// What takes the records of a queue; called under the recorder's lock, in order.
protocol RecordTarget: Sendable {
  /// Whether it takes none any longer.
  var isOver: Bool { get }

  /// Takes the next record, and when it was told.
  func take(_ record: RunRecord, at time: Instant)

  /// No more records come.
  func finish()
}

/// The stream that a program reads.
struct RecordStream: RecordTarget {
  private let writer: EventWriter<PoolRecord>

  init(_ writer: EventWriter<PoolRecord>) { self.writer = writer }

  var isOver: Bool { writer.isOver }

  func take(_ record: RunRecord, at time: Instant) {
    // A reader is woken by a thread of the system: this one may hold the engine's lock.
    guard let reader = writer.append(PoolRecord(record, at: time)) else { return }
    DispatchQueue.global().async { reader.resume() }
  }

  func finish() { writer.finish() }
}

/// What has happened in a queue, kept for its reports.
final class KeptRecords: RecordTarget {
  private struct State {
    var history = RunHistory()
    var isOver = false
  }

  private let state = Mutex(State())

  var isOver: Bool { state.withLock { $0.isOver } }

  /// What has happened until a moment.
  func history(at now: Instant) -> RunHistory {
    var history = state.withLock { $0.history }
    history.goOn(until: now)
    return history
  }

  func take(_ record: RunRecord, at time: Instant) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.history.take(record, at: time)
    }
  }

  func finish() {
    // Returned from the closure, so that it is released without the lock.
    _ = state.withLock { state in
      state.isOver = true
      defer { state.history = RunHistory() }
      return state.history
    }
  }
}

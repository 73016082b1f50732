/// Says when a file must be synced so that nothing waits for it longer than a window.
///
/// Times are nanoseconds of a clock that the caller reads.
package struct SyncSchedule: Sendable {
  private let window: Int64
  /// When the oldest bytes were written that no sync covers, begun or ended.
  private var oldest: Int64?

  package init(window: Int64) {
    self.window = window
  }

  /// When the next sync must begin; nil where there is nothing to sync.
  package var due: Int64? { oldest.map { $0 + window } }

  /// Something has been written.
  package mutating func wrote(at now: Int64) {
    if oldest == nil { oldest = now }
  }

  /// A sync begins: it covers all that was written before, and nothing that is written meanwhile.
  package mutating func beginSync() {
    oldest = nil
  }
}

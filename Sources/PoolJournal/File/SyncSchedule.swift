/// Decides when to sync a file, so that no byte waits longer than a window.
///
/// Times are nanoseconds of the caller's clock.
package struct SyncSchedule: Sendable {
  private let window: Int64
  /// When the oldest bytes were written that no sync, begun or ended, covers.
  private var oldest: Int64?

  package init(window: Int64) {
    self.window = window
  }

  /// When the next sync must begin; nil if there is nothing to sync.
  package var due: Int64? { oldest.map { $0 + window } }

  /// Bytes were written.
  package mutating func wrote(at now: Int64) {
    if oldest == nil { oldest = now }
  }

  /// A sync begins; it covers only bytes written before.
  package mutating func beginSync() {
    oldest = nil
  }
}

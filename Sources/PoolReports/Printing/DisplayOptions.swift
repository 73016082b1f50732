package import PoolInputs

/// When outputs are printed, and what their lines begin with.
package struct DisplayOptions: Hashable, Sendable {
  /// Whether lines are printed as soon as they are written.
  package var isLineBuffered = false
  /// Whether commands write to this process's streams themselves, if they can.
  package var isUngrouped = false
  /// Milliseconds that outputs of processes which a command has left behind are waited for; nil for
  /// the default.
  package var outputGrace: Int?
  /// What each line of output begins with; nil for nothing.
  package var tag: LineTag?

  package init() {}

  /// Whether outputs are printed while operations execute.
  package var isLive: Bool { isLineBuffered || isUngrouped }
}

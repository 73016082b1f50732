package import PoolInputs
package import PoolModel

/// The operations whose outputs are printed.
package enum ShownOutputs: String, CaseIterable, Sendable {
  case all
  /// Those that failed, timed out or were lost.
  case failed
  case none

  /// Whether the outputs of an operation with this ending are printed.
  package func includes(_ ending: PoolEnding) -> Bool {
    switch self {
    case .all: true
    case .failed: ending.isFailure
    case .none: false
    }
  }
}

/// When outputs are printed, and what their lines begin with.
package struct DisplayOptions: Hashable, Sendable {
  /// Whether lines are printed as soon as they are written.
  package var isLineBuffered = false
  /// Whether commands write to this process's streams themselves, if they can.
  package var isUngrouped = false
  /// Milliseconds that outputs of processes which a command has left behind are waited for; nil for
  /// the default.
  package var outputGrace: Int?
  /// The operations whose outputs are printed.
  package var shown = ShownOutputs.all
  /// What each line of output begins with; nil for nothing.
  package var tag: LineTag?

  package init() {}

  /// Whether outputs are printed while operations execute.
  package var isLive: Bool { isLineBuffered || isUngrouped }
}

import PoolSystem

/// The setting of Swift's runtime that a coordinator changes for its workers, and only for them.
package enum BacktraceSetting {
  /// The variable that Swift's runtime reads before `main`.
  package static let variable = "SWIFT_BACKTRACE"
  /// The variable that has the value of the other one in the coordinator, empty if there is none.
  package static let original = "OPOOL_BACKTRACE"

  /// Gives this process, and what it starts, the coordinator's value again; call it before there
  /// are other threads.
  static func restore() {
    guard let own = ProcessEnvironment.take(original) else { return }
    if own.isEmpty {
      _ = ProcessEnvironment.take(variable)
    } else {
      ProcessEnvironment.assign(variable, Array(own.utf8))
    }
  }
}

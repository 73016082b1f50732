/// A system that executes workflows, for whose log a run can write: `--ci`.
package enum ContinuousIntegration: String, Hashable, Sendable, CaseIterable {
  /// GitHub Actions.
  case github
}

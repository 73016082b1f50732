package import PoolModel

/// Which profile a worker passes: the minimal one, and of the full one each capability.
package struct ProfileReport {
  private let results: [CaseResult]
  private let offered: [Capability]

  /// Reports the results of a worker that offers these capabilities.
  package init(_ results: [CaseResult], offering capabilities: Set<Capability>) {
    self.results = results
    offered = Capability.allCases.filter(capabilities.contains)
  }

  /// Comments of TAP.
  package var text: String { lines.map { "# \($0)\n" }.joined() }

  private var lines: [String] {
    let failed = results.filter(\.hasFailed).count
    let skipped = results.filter(\.isSkipped).count
    let minimal = results.filter(\.test.capabilities.isEmpty)
    return [
      "\(results.count - failed - skipped) passed, \(failed) failed, \(skipped) skipped",
      "minimal profile: " + words(minimal),
    ] + full
  }

  private var full: [String] {
    guard !offered.isEmpty else { return ["full profile: no capability offered"] }
    return ["full profile, of the capabilities that the worker offers:"]
      + offered.map { capability in
        let own = results.filter { $0.test.capabilities.contains(capability) }
        return "  \(capability.rawValue): \(words(own))"
      }
  }

  /// What cases have come to together.
  private func words(_ results: [CaseResult]) -> String {
    let failed = results.filter(\.hasFailed).map(\.test.name)
    if !failed.isEmpty { return "fails (\(failed.joined(separator: ", ")))" }
    if results.isEmpty { return "no case is about it" }
    let skipped = results.filter(\.isSkipped).count
    if skipped == results.count { return "not checked" }
    return skipped == 0 ? "passes" : "passes (\(Plural.of(skipped, "case")) skipped)"
  }
}

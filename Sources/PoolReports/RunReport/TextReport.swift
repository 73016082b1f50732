package import PoolAnalysis

/// The report of a run as text.
package enum TextReport {
  package static func text(of analysis: RunAnalysis) -> String {
    var text = ""
    for part in analysis.account.parts {
      text += "\(part.use) \(part.time)\n"
    }
    return text
  }
}

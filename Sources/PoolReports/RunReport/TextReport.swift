package import PoolAnalysis
import PoolModel

/// The report of a run as text.
package enum TextReport {
  package static func text(of analysis: RunAnalysis) -> String {
    var text = ""
    for part in analysis.account.parts {
      text += "\(part.use) \(Double(part.time) / 1e9)\n"
    }
    for advice in analysis.advice { text += "\(advice.change) \(Double(advice.saved) / 1e9) \(Double(advice.elapsed)/1e9)\n" }
    for step in analysis.chain.suffix(30) { text += "\(String(decoding: analysis.history.operations[step.operation].id, as: UTF8.self)) \(step.attempt) \(step.started.seconds) \(step.finished.seconds) \(step.reason)\n" }
    return text
  }
}

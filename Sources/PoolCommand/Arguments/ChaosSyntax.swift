package import PoolCore
import PoolText

/// Parses the rates of injected faults:
/// `kill=1%,stop=0.1%,garble=0.1%,spawnfail=2%`.
package enum ChaosSyntax {
  /// Parses rates; throws one sentence if the text is not valid.
  package static func parse(_ text: String) throws(ChaosSyntaxError) -> Chaos {
    var chaos = Chaos()
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2 else { throw ChaosSyntaxError("'\(part)' is no name with a rate") }
      let rate = try rate(String(words[1]))
      if let fault = Chaos.Fault(rawValue: String(words[0])) {
        chaos.rates[fault] = rate
      } else if words[0] == "spawnfail" {
        chaos.spawnFailure = rate
      } else {
        throw ChaosSyntaxError("'\(words[0])' is none of kill, stop, garble and spawnfail")
      }
    }
    guard chaos.rates.values.reduce(0, +) <= 1 else {
      throw ChaosSyntaxError("kill, stop and garble are more than 100% together")
    }
    return chaos
  }

  /// A percentage, or a fraction of 1.
  private static func rate(_ text: String) throws(ChaosSyntaxError) -> Double {
    let number = text.hasSuffix("%") ? String(text.dropLast()) : text
    guard let value = DecimalParser.double(Array(number.utf8)) else {
      throw ChaosSyntaxError("'\(text)' is no rate such as 1% or 0.01")
    }
    let rate = text.hasSuffix("%") ? value / 100 : value
    guard (0...1).contains(rate) else { throw ChaosSyntaxError("'\(text)' is not from 0% to 100%") }
    return rate
  }
}

/// What is wrong with the rates.
package struct ChaosSyntaxError: Error {
  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

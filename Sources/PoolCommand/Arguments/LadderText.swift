package import PoolModel
import PoolSystem

/// A termination ladder as people write it: steps and, between them, graces in milliseconds, such as
/// `MESSAGE,2000,TERM,1000,KILL`.
///
/// The sequence is that of GNU parallel's `--term-seq`, with the request to stop as a step before
/// the signals.
package enum LadderText {
  /// Reads a ladder; throws a sentence where the text is none.
  ///
  /// The last step is KILL: what ignores all others would never end.
  package static func parse(_ text: String) throws(LadderTextError) -> PoolTerminationLadder {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var steps: [PoolTerminationLadder.Step] = []
    for index in stride(from: 0, to: words.count, by: 2) {
      let grace = index + 1 < words.count ? try grace(words[index + 1]) : 0
      steps.append(PoolTerminationLadder.Step(try rung(words[index]), graceMilliseconds: grace))
    }
    guard steps.last?.rung == .signal(ProcessSignal.kill.number) else {
      throw LadderTextError("its last step must be KILL")
    }
    if let index = steps.lastIndex(where: { $0.rung == .message }), index > 0 {
      throw LadderTextError("MESSAGE can only be its first step")
    }
    return PoolTerminationLadder(steps: steps)
  }

  private static func rung(
    _ word: String
  ) throws(LadderTextError) -> PoolTerminationLadder.Rung {
    if word.uppercased() == "MESSAGE" { return .message }
    guard let signal = ProcessSignal(named: word) else {
      throw LadderTextError("'\(word)' is neither MESSAGE nor a signal")
    }
    return .signal(signal.number)
  }

  private static func grace(_ word: String) throws(LadderTextError) -> Int {
    guard let grace = DecimalText.integer(Array(word.utf8)), (0...86_400_000).contains(grace) else {
      throw LadderTextError("'\(word)' is no number of milliseconds up to a day")
    }
    return grace
  }
}

/// What is wrong with a ladder.
package struct LadderTextError: Error {
  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

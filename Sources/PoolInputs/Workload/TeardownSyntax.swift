package import PoolModel
import PoolSystem
import PoolText

/// Parses a teardown sequence: steps with graces between them, in milliseconds or with a
/// unit, such as `MESSAGE,2000,TERM,1s,KILL`.
///
/// The sequence is that of GNU parallel's `--term-seq`, with the request to stop as a step before
/// the signals.
package enum TeardownSyntax {
  /// Parses a sequence; throws one sentence if the text is not valid.
  ///
  /// The last step must be KILL, because an operation can ignore all others.
  package static func parse(_ text: String) throws(TeardownSyntaxError) -> PoolTeardownSequence {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var steps: [PoolTeardownSequence.Step] = []
    for index in stride(from: 0, to: words.count, by: 2) {
      let grace = index + 1 < words.count ? try grace(words[index + 1]) : 0
      steps.append(PoolTeardownSequence.Step(try step(words[index]), graceMilliseconds: grace))
    }
    guard steps.last?.action == .signal(ProcessSignal.kill.number) else {
      throw TeardownSyntaxError("its last step must be KILL")
    }
    if let index = steps.lastIndex(where: { $0.action == .message }), index > 0 {
      throw TeardownSyntaxError("MESSAGE can only be its first step")
    }
    return PoolTeardownSequence(steps: steps)
  }

  private static func step(
    _ word: String
  ) throws(TeardownSyntaxError) -> PoolTeardownSequence.Action {
    if word.uppercased() == "MESSAGE" { return .message }
    guard let signal = ProcessSignal(named: word) else {
      throw TeardownSyntaxError("'\(word)' is neither MESSAGE nor a signal")
    }
    return .signal(signal.number)
  }

  private static func grace(_ word: String) throws(TeardownSyntaxError) -> Int {
    let grace = DurationFormat.nanoseconds(Array(word.utf8), plain: 1e6).map { $0 / 1_000_000 }
    guard let grace, grace <= 86_400_000 else {
      throw TeardownSyntaxError("'\(word)' is no time up to a day, in milliseconds or with a unit")
    }
    return Int(grace)
  }
}

/// What is wrong with a teardown sequence.
package struct TeardownSyntaxError: Error {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

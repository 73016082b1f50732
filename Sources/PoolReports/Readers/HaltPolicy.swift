package import PoolModel
import PoolText

/// When a run ends early because of how its operations end: `--halt`, in GNU parallel's grammar.
package struct HaltPolicy: Hashable, Sendable {
  /// How the end of the run treats executing operations.
  package enum Moment: String, Hashable, Sendable, CaseIterable {
    /// They are torn down.
    case now
    /// They are finished; nothing else begins.
    case soon
  }

  /// What is counted.
  package enum Subject: String, Hashable, Sendable, CaseIterable {
    /// Operations that failed, timed out or were lost, after their last attempt.
    case fail
    case success
    /// Both.
    case done
  }

  /// How many.
  package enum Amount: Hashable, Sendable {
    case count(Int)
    /// Of all operations, once all are known.
    case percent(Int)
  }

  package var moment: Moment
  package var subject: Subject
  package var amount: Amount

  package init(_ moment: Moment, _ subject: Subject, _ amount: Amount) {
    self.moment = moment
    self.subject = subject
    self.amount = amount
  }

  /// The operations of a run that were executed in it and have ended.
  package struct Tally: Hashable, Sendable {
    package private(set) var failed = 0
    package private(set) var succeeded = 0

    package init() {}

    /// Counts an operation's end; ignores operations that were not executed.
    package mutating func count(_ ending: PoolEnding) {
      switch ending {
      case .succeeded: succeeded += 1
      case .failed, .timedOut, .lost: failed += 1
      case .cancelled, .skipped: break
      }
    }

    fileprivate func count(of subject: Subject) -> Int {
      switch subject {
      case .fail: failed
      case .success: succeeded
      case .done: failed + succeeded
      }
    }
  }

  /// Whether the run is to end; `total` is nil while more operations may come.
  package func isReached(by tally: Tally, total: Int?) -> Bool {
    let count = tally.count(of: subject)
    switch amount {
    case .count(let limit): return count >= limit
    case .percent(let percent):
      guard count > 0, let total else { return false }
      // Both are below 2^47.
      return count * 100 >= percent * total
    }
  }
}

extension HaltPolicy.Tally: CustomStringConvertible {
  package var description: String { "\(failed) failed, \(succeeded) succeeded" }
}

extension HaltPolicy: CustomStringConvertible {
  /// As it is written on the command line.
  package var description: String {
    switch amount {
    case .count(let count): "\(moment.rawValue),\(subject.rawValue)=\(count)"
    case .percent(let percent): "\(moment.rawValue),\(subject.rawValue)=\(percent)%"
    }
  }
}

/// Why a text is no halt policy.
package struct HaltSyntaxError: Error, Hashable {
  package var reason: String
}

extension HaltPolicy {
  /// GNU parallel's older way to write the commonest policies.
  private static let numbers: [String: Self] = [
    "1": Self(.soon, .fail, .count(1)), "2": Self(.now, .fail, .count(1)),
    "-1": Self(.soon, .success, .count(1)), "-2": Self(.now, .success, .count(1)),
  ]

  /// Parses `never`, `now,fail=1`, `soon,done=10%` or one of the older 0, 1, 2, -1, -2 and `10%`;
  /// nil for never.
  package static func parse(_ text: String) throws(HaltSyntaxError) -> Self? {
    if text == "never" || text == "0" { return nil }
    if let policy = numbers[text] { return policy }
    if text.last == "%", !text.contains(",") { return Self(.soon, .fail, try amount(text[...])) }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let moment = Moment(rawValue: String(parts[0])) else {
      throw HaltSyntaxError(reason: "never, or now or soon, a comma and a condition")
    }
    let words = parts[1].split(separator: "=", omittingEmptySubsequences: false)
    guard words.count == 2, let subject = Subject(rawValue: String(words[0])) else {
      throw HaltSyntaxError(
        reason: "fail, success or done, = and a number after '\(moment.rawValue),'"
      )
    }
    return Self(moment, subject, try amount(words[1]))
  }

  private static func amount(_ text: Substring) throws(HaltSyntaxError) -> Amount {
    let isPercentage = text.last == "%"
    let digits = isPercentage ? text.dropLast() : text
    let limit = isPercentage ? 100 : Int(Int32.max)
    guard let number = DecimalParser.integer(Array(digits.utf8)), (1...limit).contains(number)
    else {
      throw HaltSyntaxError(
        reason: "a number of at least 1, or a percentage from 1% to 100%, after '='"
      )
    }
    return isPercentage ? .percent(number) : .count(number)
  }
}

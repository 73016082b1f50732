package import PoolModel
import PoolText

/// The failures that are retried, as `--retry-on` and the field `retryOn` name them.
package struct RetryCondition: Hashable, Sendable {
  package var causes: Set<PoolRetryCause> = []
  /// The exit codes that are retried, if the cause `exit` is; nil for all.
  package var exitCodes: Set<Int32>?

  /// Every failure.
  package static let all = Self(causes: Set(PoolRetryCause.allCases), exitCodes: nil)

  private init(causes: Set<PoolRetryCause>, exitCodes: Set<Int32>?) {
    (self.causes, self.exitCodes) = (causes, exitCodes)
  }

  /// Parses the names of causes; `exit=N` is an exit with that code.
  package init(_ words: some Sequence<String>) throws(RetryConditionError) {
    var codes: Set<Int32> = []
    for word in words {
      if let cause = PoolRetryCause(name: word) {
        causes.insert(cause)
      } else if let code = Self.exitCode(word) {
        codes.insert(code)
      } else {
        throw RetryConditionError(word: word)
      }
    }
    // Every exit includes each one.
    if causes.contains(.exit) || codes.isEmpty { return }
    causes.insert(.exit)
    exitCodes = codes
  }

  private static func exitCode(_ word: String) -> Int32? {
    let prefix = "\(PoolRetryCause.exit.name)="
    guard word.hasPrefix(prefix),
      let code = DecimalParser.integer(Array(word.utf8.dropFirst(prefix.utf8.count))),
      (1...255).contains(code)
    else { return nil }
    return Int32(code)
  }
}

/// A word that names no failure.
package struct RetryConditionError: Error, Hashable {
  /// It is from a user, and not made printable yet.
  package var word: String

  /// What is needed instead.
  package static let expected =
    "causes of these: " + PoolRetryCause.allCases.map(\.name).joined(separator: ", ")
    + ", or exit=N with a code from 1 to 255"
}

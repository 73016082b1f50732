import PoolCore
import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: what is retried, and when, as options and fields of the manifest say it.
@Suite("Retry settings")
struct RetryConditionTests {
  @Test("Exit codes are chosen one by one, and an exit without a code is every exit")
  func codes() throws {
    let some = try RetryCondition(["exit=7", "exit=75", "timeout"])
    #expect(some.causes == [.exit, .timeout] && some.exitCodes == [7, 75])
    let every = try RetryCondition(["exit=7", "exit"])
    #expect(every.causes == [.exit] && every.exitCodes == nil)
    let none = try RetryCondition(["signal"])
    #expect(none.causes == [.signal] && none.exitCodes == nil)
  }

  @Test(
    "Other words are refused",
    arguments: ["exit=0", "exit=256", "exit=", "exit=x", "", "Exit", "signal=9"]
  )
  func wrong(word: String) {
    #expect(throws: RetryConditionError(word: word)) { try RetryCondition([word]) }
  }

  @Test("Without settings the standard delays hold; one of the user's own has a longer bound")
  func delays() {
    #expect(RetrySettings().rule == .standard)
    let own = RetrySettings(delay: .seconds(1)).rule
    #expect(own == RetryRule(delay: .seconds(1), growth: 2, maximum: .seconds(3_600)))
    #expect(RetrySettings(delay: 0).rule.delay == 0)
  }

  @Test("A line's settings come before those of the run, each on its own")
  func precedence() throws {
    let (line, run) = (try RetryCondition(["exit=1"]), try RetryCondition(["signal"]))
    let settings = RetrySettings(condition: line)
      .completed(by: RetrySettings(delay: 5, condition: run))
    #expect(settings == RetrySettings(delay: 5, condition: line))
    #expect(RetrySettings(delay: 3).completed(by: RetrySettings(delay: 5)).delay == 3)
  }

  @Test("Fields of a manifest are read, in every form")
  func fields() throws {
    let manifest = try Manifest(
      bytes(
        """
        {"run":["a"]}
        {"run":["b"],"retryDelay":0.5,"retryOn":["exit=7","timeout"]}
        {"run":["c"],"retryDelay":0,"retryOn":"exit=7,timeout"}

        """
      )
    )
    let condition = try RetryCondition(["exit=7", "timeout"])
    #expect(manifest.retrySettings(of: 0).areDefaults)
    #expect(
      manifest.retrySettings(of: 1) == RetrySettings(delay: 500_000_000, condition: condition)
    )
    #expect(manifest.retrySettings(of: 2) == RetrySettings(delay: 0, condition: condition))
  }
}

import Foundation
import PoolCore
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: the page on supervision states all defaults, and states them as they are.
@Suite("The table of defaults")
struct SupervisionPageTests {
  private static let page =
    Repository.root.appending(path: "Sources/OperationPool/OperationPool.docc/Supervision.md")

  @Test("every setting of a pool is in the table, with its default, and nothing else is")
  func defaults() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    var stated: [String: String] = [:]
    for match in text.matches(of: /(?m)^\| `(\w+)` \| ([^|]+) \|/) {
      stated[String(match.output.1)] = String(match.output.2)
    }
    var actual: [String: String] = [:]
    for (label, value) in Mirror(reflecting: PoolPolicy()).children {
      actual[label ?? ""] = written(value)
    }
    #expect(actual.count >= 15)
    #expect(stated == actual)
  }

  /// A value as the page has it.
  private func written(_ value: Any) -> String {
    switch value {
    case let rule as RetryRule: rule == .atOnce ? "at once" : "\(rule)"
    case let teardown as PoolTeardownSequence: written(teardown)
    case let nanoseconds as Int64: duration(Double(nanoseconds) / 1e9)
    case let growth as Double: growth.formatted()
    case let limit as RelativeTimeout?: limit.map { "\($0.percent) %" } ?? "none"
    default: "\(value)"
    }
  }

  private func written(_ teardown: PoolTeardownSequence) -> String {
    teardown.steps.map { step in
      let grace = duration(Double(step.graceMilliseconds) / 1_000)
      return switch step.action {
      case .message: "message \(grace)"
      case .signal(let signal):
        ProcessSignal(signal).description + (step.graceMilliseconds > 0 ? " \(grace)" : "")
      }
    }.joined(separator: ", ")
  }

  private func duration(_ seconds: Double) -> String {
    seconds < 1 ? "\((seconds * 1_000).formatted()) ms" : "\(seconds.formatted()) s"
  }
}

import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: the grammar is GNU parallel's, with its older numbers; what is not in it is refused.
@Suite("When a run ends early")
struct HaltPolicyTests {
  @Test(
    "what GNU parallel takes",
    arguments: [
      ("now,fail=1", HaltPolicy(.now, .fail, .count(1))),
      ("soon,fail=3", HaltPolicy(.soon, .fail, .count(3))),
      ("now,success=1", HaltPolicy(.now, .success, .count(1))),
      ("soon,done=10%", HaltPolicy(.soon, .done, .percent(10))),
      ("soon,fail=100%", HaltPolicy(.soon, .fail, .percent(100))),
      ("10%", HaltPolicy(.soon, .fail, .percent(10))),
      ("never", nil), ("0", nil),
      ("1", HaltPolicy(.soon, .fail, .count(1))), ("2", HaltPolicy(.now, .fail, .count(1))),
      ("-1", HaltPolicy(.soon, .success, .count(1))), ("-2", HaltPolicy(.now, .success, .count(1))),
    ] as [(String, HaltPolicy?)]
  )
  func grammar(_ text: String, _ policy: HaltPolicy?) throws {
    #expect(try HaltPolicy.parse(text) == policy)
    if let policy { #expect(try HaltPolicy.parse(policy.description) == policy) }
  }

  @Test(
    "what it is not is refused",
    arguments: [
      "", "now", "now,", "now,fail", "now,fail=", "now,fail=0", "now,fail=-1", "now,fail=0%",
      "now,fail=101%", "now,fail=1%%", "now,fail=1,", "later,fail=1", "now,failed=1",
      "now,fail=1.5",
      "NOW,fail=1", " now,fail=1", "3", "-3", "now,fail=99999999999999999999", "now=fail,1",
    ]
  )
  func refused(_ text: String) {
    #expect(throws: HaltSyntaxError.self) { try HaltPolicy.parse(text) }
  }

  private func tally(_ endings: [PoolEnding]) -> HaltPolicy.Tally {
    var tally = HaltPolicy.Tally()
    for ending in endings { tally.count(ending) }
    return tally
  }

  @Test("each ending counts as a failure, a success, or not at all")
  func subjects() {
    let counts: [PoolEnding: [HaltPolicy.Subject]] = [
      .succeeded: [.success, .done], .failed: [.fail, .done], .timedOut: [.fail, .done],
      .lost: [.fail, .done], .cancelled: [], .skipped: [],
    ]
    #expect(counts.count == PoolEnding.allCases.count)
    for (ending, expected) in counts {
      for subject in HaltPolicy.Subject.allCases {
        let policy = HaltPolicy(.now, subject, .count(2))
        #expect(!policy.isReached(by: tally([ending]), total: nil))
        #expect(
          policy.isReached(by: tally([ending, ending]), total: nil) == expected.contains(subject)
        )
      }
    }
  }

  @Test("a percentage is of all operations, and nothing before all are known")
  func percentages() {
    let policy = HaltPolicy(.soon, .fail, .percent(34))
    #expect(!policy.isReached(by: tally([.failed]), total: nil))
    #expect(!policy.isReached(by: tally([.failed]), total: 3))
    #expect(policy.isReached(by: tally([.failed, .timedOut]), total: 3))
    #expect(!policy.isReached(by: tally([]), total: 0))
    #expect(
      HaltPolicy(.soon, .done, .percent(100)).isReached(by: tally([.lost, .succeeded]), total: 2)
    )
  }
}

import Foundation
import PoolTestSupport
import Testing

@testable import PoolText

/// Contract: dates are those of the Gregorian calendar.
@Suite("Dates")
struct DateFormatTests {
  @Test("any time from 1684 to 2255 is what Foundation says")
  func dates() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var generator = SeededGenerator(seed: 1)
    let edges: [Int64] = [0, -1, 951_782_399, 951_782_400, 4_107_542_399, 4_107_542_400]
    let random = (0..<500).map { _ in
      Int64.random(in: -9_000_000_000...9_000_000_000, using: &generator)
    }
    for second in edges + random {
      let date = Date(timeIntervalSince1970: Double(second))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: date
      )
      let text = String(
        format: "%d-%02d-%02d %02d:%02d:%02d UTC",
        parts.year ?? 0,
        parts.month ?? 0,
        parts.day ?? 0,
        parts.hour ?? 0,
        parts.minute ?? 0,
        parts.second ?? 0
      )
      #expect(DateFormat.utc(second * 1_000_000_000) == text)
    }
  }
}

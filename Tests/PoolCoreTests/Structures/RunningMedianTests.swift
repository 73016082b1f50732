import PoolTestSupport
import Testing

@testable import PoolCore

/// Beside a sorted list: near it whatever comes.
@Suite("Running median")
struct RunningMedianTests {
  @Test("the median of random lengths is right to within a thirty-second part, at every step")
  func random() {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var (median, sorted) = (RunningMedian(), [Int64]())
      let bits = Int.random(in: 1...62, using: &generator)
      for _ in 0..<200 {
        let length = Int64.random(in: 0..<1 << bits, using: &generator)
        median.insert(length)
        sorted.insert(length, at: sorted.firstIndex { $0 > length } ?? sorted.count)
        let exact = sorted[sorted.count / 2]
        #expect(median.value >= exact && median.value <= exact + exact / 32 + 1, "seed \(seed)")
      }
      #expect(median.count == 200)
    }
  }

  @Test("short lengths are told apart, and the longest has a place")
  func bounds() {
    var median = RunningMedian()
    #expect(median.value == 0)
    median.insert(-5)
    #expect(median.value == 0)
    for length in [31, 31, 31] as [Int64] { median.insert(length) }
    #expect(median.value == 31)
    var longest = RunningMedian()
    longest.insert(.max)
    #expect(longest.value == .max)
  }
}

import PoolTestSupport
import Testing

@testable import PoolAnalysis

@Suite("The greatest values")
struct GreatestTests {
  @Test("they are those that sorting finds")
  func places() {
    for seed in RandomSeeds.first(100) {
      var generator = SeededGenerator(seed: seed)
      let values = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        Int64.random(in: 0...9, using: &generator)
      }
      let count = Int.random(in: 0...12, using: &generator)
      let sorted = values.indices.sorted { (values[$1], $0) < (values[$0], $1) }
      let places = Greatest.places(in: values, atMost: count)
      #expect(places == Array(sorted.prefix(count)), "seed \(seed)")
    }
  }
}

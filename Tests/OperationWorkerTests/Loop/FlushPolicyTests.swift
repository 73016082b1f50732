import Testing

@testable import OperationWorker

/// When what a worker keeps is sent.
@Suite("When a worker sends what waits")
struct FlushPolicyTests {
  @Test("The clock is not read until a third of what is prefetched has begun")
  func prefetched() {
    var flushPolicy = FlushPolicy()
    for count in stride(from: 30, to: 23, by: -1) {
      let isDue = flushPolicy.begin(prefetched: count) {
        Issue.record("the clock was read with \(count) prefetched")
        return 0
      }
      #expect(!isDue)
    }
    var looks = 0
    _ = flushPolicy.begin(prefetched: 23) {
      looks += 1
      return 0
    }
    #expect(looks == 1)
  }

  @Test("Then what began waits for the delay, and no longer")
  func delay() {
    var flushPolicy = FlushPolicy()
    #expect(!flushPolicy.begin(prefetched: 0) { 1_000 })
    #expect(!flushPolicy.begin(prefetched: 0) { 1_000 + FlushPolicy.delay - 1 })
    #expect(flushPolicy.begin(prefetched: 0) { 1_000 + FlushPolicy.delay })
    flushPolicy.reset()
    #expect(!flushPolicy.begin(prefetched: 0) { 1_000 + FlushPolicy.delay })
  }
}

import Testing

@testable import OperationWorker

/// When what a worker keeps is sent.
@Suite("The pace of sending")
struct FlushPolicyTests {
  @Test("The clock is not looked at until a third of what is held has begun")
  func held() {
    var flushPolicy = FlushPolicy()
    for held in stride(from: 30, to: 23, by: -1) {
      let isDue = flushPolicy.begin(held: held) {
        Issue.record("nobody needs the time with \(held) held")
        return 0
      }
      #expect(!isDue)
    }
    var looks = 0
    _ = flushPolicy.begin(held: 23) {
      looks += 1
      return 0
    }
    #expect(looks == 1)
  }

  @Test("Then what began waits for as long as its patience, and no longer")
  func patience() {
    var flushPolicy = FlushPolicy()
    #expect(!flushPolicy.begin(held: 0) { 1_000 })
    #expect(!flushPolicy.begin(held: 0) { 1_000 + FlushPolicy.patience - 1 })
    #expect(flushPolicy.begin(held: 0) { 1_000 + FlushPolicy.patience })
    flushPolicy.reset()
    #expect(!flushPolicy.begin(held: 0) { 1_000 + FlushPolicy.patience })
  }
}

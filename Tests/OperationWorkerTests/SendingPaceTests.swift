import Testing

@testable import OperationWorker

/// When what a worker keeps is sent.
@Suite("The pace of sending")
struct SendingPaceTests {
  @Test("The clock is not looked at until a third of what is held has begun")
  func held() {
    var pace = SendingPace()
    for held in stride(from: 30, to: 23, by: -1) {
      let isDue = pace.begin(held: held) {
        Issue.record("nobody needs the time with \(held) held")
        return 0
      }
      #expect(!isDue)
    }
    var looks = 0
    _ = pace.begin(held: 23) {
      looks += 1
      return 0
    }
    #expect(looks == 1)
  }

  @Test("Then what began waits for as long as its patience, and no longer")
  func patience() {
    var pace = SendingPace()
    #expect(!pace.begin(held: 0) { 1_000 })
    #expect(!pace.begin(held: 0) { 1_000 + SendingPace.patience - 1 })
    #expect(pace.begin(held: 0) { 1_000 + SendingPace.patience })
    pace.reset()
    #expect(!pace.begin(held: 0) { 1_000 + SendingPace.patience })
  }
}

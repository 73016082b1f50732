import Testing

@testable import PoolReports

/// Contract: a ready operation starts when what executes and what is before it leave it its slots.
@Suite("When an operation is expected to start")
struct ExpectedStartTests {
  private func time(
    _ executing: [Int64],
    _ ready: [Int64] = [],
    slots: Int = 1,
    width: Int
  ) -> Int64 {
    ExpectedStart.time(
      behind: executing.map { ExpectedStart.Work($0) },
      ready.map { ExpectedStart.Work($0) },
      slots: slots,
      width: width
    )
  }

  @Test("the first one starts when the first execution ends, or at once")
  func first() {
    #expect(time([5, 3], width: 2) == 3)
    #expect(time([5], width: 2) == 0)
    #expect(time([], width: 0) == 0)
  }

  @Test("those before it take the slots that are free first")
  func queue() {
    #expect(time([5, 3], [1, 1], width: 2) == 5)
    #expect(time([5, 3], [1, 4], width: 2) == 5)
    #expect(time([5, 3], [1, 1, 1], width: 2) == 5)
    #expect(time([5, 3], [4, 4], width: 2) == 7)
    #expect(time([1, 9, 9], [1, 1], width: 3) == 3)
  }

  @Test("one that needs several slots waits for the last of them, and so does one of others")
  func wide() {
    #expect(time([5, 3], slots: 2, width: 2) == 5)
    #expect(time([5, 3], slots: 9, width: 2) == 5)
    let wide = ExpectedStart.Work(10, slots: 2)
    let executing = [ExpectedStart.Work(5), ExpectedStart.Work(3, slots: 2)]
    #expect(ExpectedStart.time(behind: executing, [wide], slots: 1, width: 3) == 5)
    #expect(ExpectedStart.time(behind: executing, [wide, wide], slots: 2, width: 3) == 23)
  }

  @Test("times that are too long for sums stay the longest")
  func saturated() {
    #expect(time([.max], [.max, 1], width: 1) == .max)
  }
}

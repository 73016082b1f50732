import PoolCommand
import PoolCore
import Testing

@testable import PoolReports

private let second: Int64 = 1_000_000_000

/// Contract: an estimate is never short of the longest chain, nor of the work that is left.
@Suite("The time that is left")
struct RemainingTimeTests {
  /// Operations that each wait for the one before.
  private func chain(_ count: Int) -> DependencyRows {
    var rows = DependencyRows()
    for node in 0..<count {
      if node > 0 { rows.append(node - 1) }
      rows.endRow()
    }
    return rows
  }

  private func seconds(
    _ rests: [Int64],
    delays: [Int: Int64] = [:],
    graph: DependencyRows? = nil,
    limits: ExecutionLimits = ExecutionLimits(width: 4)
  ) -> Double? {
    RemainingTime(rests, delays: delays, graph: graph, limits: limits)
      .map { Double($0.nanoseconds) / 1e9 }
  }

  @Test("Independent operations take their work, divided among the places")
  func work() {
    #expect(seconds([Int64](repeating: second, count: 40)) == 10)
    #expect(seconds([Int64](repeating: 0, count: 1_000) + [second, second, second * 6]) == 6)
    #expect(seconds([Int64](repeating: second, count: 2), limits: ExecutionLimits(width: 0)) == 2)
  }

  @Test("A chain takes as long as its operations together, however many could execute at once")
  func chains() {
    let rests = [0, second / 4] + [Int64](repeating: second, count: 10)
    #expect(seconds(rests, graph: chain(12), limits: ExecutionLimits(width: 100)) == 10.25)
  }

  @Test("An operation that is tried again waits first, and takes no place meanwhile")
  func delays() {
    #expect(seconds([second, second], delays: [1: 60 * second]) == 61)
    #expect(seconds([second, second, second], delays: [0: 60 * second], graph: chain(3)) == 63)
    let (four, narrow) = ([Int64](repeating: second, count: 4), ExecutionLimits(width: 1))
    #expect(seconds(four, delays: [1: 2 * second], limits: narrow) == 4)
    #expect(seconds([.max, second], delays: [0: .max]) == Double(Int64.max) / 1e9)
  }

  @Test("What takes several places, or shares a resource, takes longer")
  func limits() {
    let rests = [Int64](repeating: second, count: 8)
    #expect(seconds(rests, limits: ExecutionLimits(width: 8, slots: { $0 < 4 ? 4 : 1 })) == 2.5)
    let limited = ExecutionLimits(width: 8, units: [2, 1], claims: { $0 < 6 ? [0] : [1] })
    #expect(seconds(rests, limits: limited) == 3)
  }

  @Test("Nothing is said of less than a second, nor where nothing is known")
  func nothing() {
    #expect(seconds([]) == nil)
    #expect(seconds([0, 0]) == nil)
    #expect(seconds([second - 1]) == nil)
    #expect(seconds([RemainingTime.unknown, RemainingTime.unknown]) == nil)
    #expect(seconds([RemainingTime.unknown, second - 1]) == nil)
  }

  @Test("What is not known makes the estimate a bound")
  func bound() {
    let time = RemainingTime(
      [RemainingTime.unknown, 3 * second],
      limits: ExecutionLimits(width: 1)
    )
    #expect(time == RemainingTime(nanoseconds: 3 * second, isAtLeast: true))
    #expect(time?.description == "0:03+ left")
    #expect(RemainingTime(nanoseconds: 90 * second).description == "1:30 left")
  }
}

/// Contract: a class of operations takes what its operations took on average.
@Suite("Measured durations")
struct MeasuredDurationTests {
  @Test("A class of which nothing was measured is not known; then the mean is")
  func mean() {
    var durations = MeasuredDurations()
    durations.addClass()
    #expect(durations.expected(in: 1) == nil && durations.rest(in: 1, after: 0) == nil)
    durations.add(1e9, to: 1)
    durations.add(3e9, to: 1)
    durations.addClass()
    #expect(durations.expected(in: 1) == 2 * second && durations.expected(in: 2) == nil)
    #expect(durations.rest(in: 1, after: second / 2) == second / 2 * 3)
    #expect(durations.rest(in: 1, after: 5 * second) == 0)
  }

  @Test("What was said counts until it was measured how wrong that is")
  func said() {
    var durations = MeasuredDurations()
    let said = MeasuredDurations.said
    #expect(durations.expected(units: 10 * second, in: said) == 10 * second)
    #expect(durations.rest(units: 10 * second, in: said, after: 19 * second) == 0)
    durations.add(2e9, units: second, to: said)
    #expect(durations.expected(units: 10 * second, in: said) == 20 * second)
    #expect(durations.expected(units: 0, in: said) == 0)
    #expect(durations.rest(units: 10 * second, in: said, after: 40 * second) == 0)
    #expect(durations.rest(units: 10 * second, in: said, after: 40 * second + 2) == nil)
  }

  @Test("What takes twice as long as the longest of its class is not known any more")
  func overdue() {
    var durations = MeasuredDurations()
    durations.addClass()
    durations.add(1e9, to: 1)
    durations.add(2e9, to: 1)
    #expect(durations.rest(in: 1, after: 4 * second) == 0)
    #expect(durations.rest(in: 1, after: 4 * second + 2) == nil)
    durations.addClass()
    durations.add(1e3, to: 2)
    #expect(durations.rest(in: 2, after: second) == 0)
    #expect(durations.rest(in: 2, after: second + 1) == nil)
  }

  @Test("No duration is too long")
  func long() {
    var durations = MeasuredDurations()
    durations.add(9e18, units: 1, to: MeasuredDurations.said)
    #expect(durations.expected(units: .max, in: MeasuredDurations.said) == .max)
    #expect(durations.rest(units: .max, in: MeasuredDurations.said, after: .max) == 0)
  }
}

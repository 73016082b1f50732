import PoolModel
import Testing

/// The words of the pool: what their tables say, whole.
@Suite("Model")
struct ModelTests {
  @Test("any number moves towards normal and stops at the first level")
  func nearestLevels() {
    let table: [(ClosedRange<Int>, PoolQueuePriority)] = [
      (Int.min...(-8), .veryLow), (-7...(-4), .low), (-3...3, .normal), (4...7, .high),
      (8...Int.max, .veryHigh),
    ]
    for (range, level) in table {
      #expect(PoolQueuePriority(nearest: range.lowerBound) == level)
      #expect(PoolQueuePriority(nearest: range.upperBound) == level)
    }
    // The ranges leave no gap, and a level's own number is its own.
    for (left, right) in zip(table, table.dropFirst()) {
      #expect(left.0.upperBound + 1 == right.0.lowerBound)
    }
    for level in PoolQueuePriority.allCases {
      #expect(PoolQueuePriority(nearest: level.rawValue) == level)
    }
  }

  @Test("the more urgent of two priorities has the lower level")
  func levels() {
    let byUrgency = PoolQueuePriority.allCases.sorted(by: >)
    #expect(byUrgency == [.veryHigh, .high, .normal, .low, .veryLow])
    #expect(byUrgency.map(\.level) == [0, 1, 2, 3, 4])
  }

  @Test("each requirement is met by the ends that it names, and by no other")
  func requirements() {
    let table: [PoolRequirement: Set<PoolEnding>] = [
      .finished: Set(PoolEnding.allCases),
      .succeeded: [.succeeded],
      .failed: [.failed, .timedOut, .lost],
      .cancelled: [.cancelled],
    ]
    #expect(table.count == PoolRequirement.allCases.count)
    for (requirement, endings) in table {
      for ending in PoolEnding.allCases {
        #expect(
          requirement.isMet(by: ending) == endings.contains(ending),
          "\(requirement) \(ending)"
        )
      }
    }
  }

  @Test("names go both ways, and others are none")
  func names() {
    for requirement in PoolRequirement.allCases {
      #expect(PoolRequirement(name: requirement.name) == requirement)
    }
    for level in PoolQueuePriority.allCases {
      #expect(PoolQueuePriority(name: level.name) == level)
    }
    for quality in PoolQualityOfService.allCases {
      #expect(PoolQualityOfService(name: quality.name) == quality)
    }
    #expect(PoolRequirement(name: "timedOut") == nil)
    #expect(PoolQueuePriority(name: "Normal") == nil)
    #expect(PoolQualityOfService(name: "") == nil)
  }

  @Test("a thread priority is the nearest class, halfway the one nearer to the default")
  func threadPriorities() {
    let table: [(PoolQualityOfService, [Double])] = [
      (.background, [-.infinity, -1, 0, 0.124]),
      (.utility, [0.125, 0.25, 0.374]),
      (.default, [0.375, 0.5, 0.625, .nan]),
      (.userInitiated, [0.626, 0.75, 0.875]),
      (.userInteractive, [0.876, 1, 2, .infinity]),
    ]
    #expect(table.count == PoolQualityOfService.allCases.count)
    for (quality, priorities) in table {
      for priority in priorities {
        #expect(PoolQualityOfService(threadPriority: priority) == quality, "\(priority)")
      }
      #expect(PoolQualityOfService(threadPriority: quality.threadPriority) == quality)
    }
    #expect(PoolQualityOfService.default.threadPriority == 0.5)
    #expect(table.map(\.0.threadPriority) == [0, 0.25, 0.5, 0.75, 1])
  }

  @Test("instants that cannot be reached never come")
  func saturation() {
    let late = Instant(nanoseconds: .max - 1)
    #expect(late.advanced(by: 1) == .distantFuture)
    #expect(late.advanced(by: 2) == .distantFuture)
    #expect(Instant.distantFuture.advanced(by: .max) == .distantFuture)
    #expect(Instant.zero.advanced(by: .max) == .distantFuture)
    #expect(Instant(nanoseconds: 5).advanced(by: 7) == Instant(nanoseconds: 12))
  }

  @Test("lengths of time saturate instead of trapping")
  func lengths() {
    #expect(Int64.milliseconds(3) == 3_000_000)
    #expect(Int64.milliseconds(.max) == .max)
    #expect(Int64.seconds(0.5) == 500_000_000)
    #expect(Int64.seconds(1e300) == .max)
    #expect(Int64.seconds(.infinity) == .max)
    #expect(Int64.seconds(.nan) == .max)
    #expect(Int64.seconds(-.infinity) == .min)
  }

  @Test("an identifier joins an index and its generation, and gives both back")
  func identifiers() {
    for (index, generation) in [(0, UInt32(0)), (7, 1), (Int(UInt32.max) - 1, .max)] {
      let id = OperationID(index: index, generation: generation)
      #expect(id.index == index)
      #expect(id.generation == generation)
      #expect(OperationID(rawValue: id.rawValue) == id)
    }
  }
}

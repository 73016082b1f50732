import Foundation
import OperationPool
import PoolModel
import PoolRaces

/// What a million operations must not change: `Scripts/verify/stress` builds and runs it.
@main
enum Stress {
  /// What a hundred times as many operations may cost each, compared with a thousand.
  private static let limit = 1.5

  static func main() throws {
    let wanted = Set(CommandLine.arguments.dropFirst())
    if wanted == ["sizes"] { return try Sizes.measure() }
    var isGood = true
    for (name, section) in [("shapes", shapes), ("chain", chain), ("races", races)]
    where wanted.isEmpty || wanted.contains(name) {
      isGood = try section() && isGood
    }
    if !isGood { exit(1) }
  }

  /// The cost of an operation in graphs of 100,000, over that in graphs of 1,000.
  private static func shapes() throws -> Bool {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    var isGood = true
    for shape in Shape.allCases {
      let core = try ratio(of: shape, small: 1_000, large: 100_000) { CoreMill.run(shape, $0) }
      let face = try ratio(of: shape, small: 1_000, large: 100_000) {
        try FaceMill.run(shape, $0, queue)
      }
      for (name, figure) in [("core", core), ("queue", face)] {
        let verdict = figure.ratio <= limit ? "good" : "MORE THAN \(limit)"
        say(
          "\(shape.rawValue), \(name): \(round(figure.small)) and \(round(figure.large)) µs an "
            + "operation of 1,000 and of 100,000, ratio \(round(figure.ratio)), \(verdict)"
        )
        isGood = isGood && figure.ratio <= limit
      }
    }
    return isGood
  }

  /// Alternates both sizes, doing as much work in each; medians over the rounds.
  private static func ratio(
    of shape: Shape,
    small: Int,
    large: Int,
    _ run: (Int) throws -> Void
  ) throws -> (small: Double, large: Double, ratio: Double) {
    var rounds: [(small: Double, large: Double)] = []
    try run(small)
    for _ in 0..<7 {
      let ofSmall = try microseconds { for _ in 0..<large / small { try run(small) } }
      let ofLarge = try microseconds { try run(large) }
      rounds.append((ofSmall / Double(large), ofLarge / Double(large)))
    }
    return (
      median(rounds.map(\.small)), median(rounds.map(\.large)),
      median(rounds.map { $0.large / $0.small })
    )
  }

  /// A chain of a million, executed and let go.
  private static func chain() throws -> Bool {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    for shape in [Shape.chain, .reverseChain] {
      let time = try microseconds { try FaceMill.run(shape, 1_000_000, queue) }
      say("\(shape.rawValue) of 1,000,000 executed and let go: \(round(time / 1e6)) µs each")
    }
    return true
  }

  /// A million races between an end and what waits for it.
  private static func races() throws -> Bool {
    let count = 1_000_000
    var lost = 0
    let time = try microseconds {
      let endings = try RaceMill().run(Race.allCases, count: count)
      lost = 2 * count - endings[.succeeded, default: 0]
    }
    say("\(count) races, \(round(time / Double(count))) µs each: \(lost) operations lost")
    return lost == 0
  }

  /// The processor's time that something takes, on all threads: others on the machine do not count.
  private static func microseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) * 1e6 / Double(CLOCKS_PER_SEC)
  }

  /// Figures appear as they come, also in a file.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func round(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

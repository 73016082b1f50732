import Foundation
import PoolCore
import PoolModel

/// Operations of unequal lengths and one kind, in virtual time: how far from list scheduling of the
/// same lengths a run is, and how long an urgent operation waits.
enum Mixed {
  private static let shapes: [(name: String, lengths: @Sendable (inout SplitMix) -> [Int64])] = [
    ("short, then 6 ms", { _ in tail(100_000, 1_000, 150, 6_000_000) }),
    ("short, then 2 ms", { _ in tail(100_000, 1_000, 300, 2_000_000) }),
    ("short, then 1 ms", { _ in tail(100_000, 1_000, 600, 1_000_000) }),
    ("short, then 300 µs", { _ in tail(100_000, 1_000, 2_000, 300_000) }),
    (
      "99/1", { random in (0..<8_000).map { _ in random.next() % 100 == 0 ? 10_000_000 : 100_000 } }
    ),
    ("bimodal", { random in (0..<400).map { _ in random.next() % 2 == 0 ? 8_000_000 : 500_000 } }),
    ("Pareto", { random in (0..<3_000).map { _ in pareto(&random) } }),
    ("ascending", { _ in (1...1_000).map { Int64($0) * 2_000 } }),
    ("descending", { _ in (1...1_000).reversed().map { Int64($0) * 2_000 } }),
    (
      "one long",
      { random in
        var lengths = [Int64](repeating: 200_000, count: 4_000)
        lengths[Int(random.next() % 3_000)] = 100_000_000
        return lengths
      }
    ),
  ]

  private static func tail(_ count: Int, _ length: Int64, _ more: Int, _ long: Int64) -> [Int64] {
    Array(repeating: length, count: count) + Array(repeating: long, count: more)
  }

  private static func pareto(_ random: inout SplitMix) -> Int64 {
    let chance = Double(random.next() >> 11) / Double(1 << 53)
    return min(Int64(200_000 / pow(1 - chance, 1 / 1.3)), 50_000_000)
  }

  /// Prints a table: the worst of so many seeds, by shape and number of workers.
  static func run(seeds: Int) {
    print(
      "| lengths | workers | over list scheduling | urgent beyond twice the longest, ms | recalls |"
    )
    print("|---|---|---|---|---|")
    for (name, lengths) in shapes {
      for count in [2, 4, 8] {
        var (worst, wait, recalls) = (0.0, -1e9, 0)
        for seed in 1...seeds {
          var random = SplitMix(state: UInt64(seed))
          let found = measure(lengths(&random), workers: count, &random)
          worst = max(worst, found.ratio)
          wait = max(wait, found.wait)
          recalls = max(recalls, found.recalls)
        }
        print("| \(name) | \(count) | \(String(format: "%.2f | %.1f", worst, wait)) | \(recalls) |")
      }
    }
  }

  private static func measure(_ lengths: [Int64], workers: Int, _ random: inout SplitMix) -> (
    ratio: Double, wait: Double, recalls: Int
  ) {
    let plain = execute(lengths, workers, urgentAt: nil)
    // From the first of the long tail on, where there is one.
    let first = lengths.first == 1_000 ? lengths.firstIndex { $0 != 1_000 } ?? 0 : 0
    let start = plain.starts[first...].min() ?? 0
    let ideal = listScheduling(lengths[first...], workers: workers)
    let ratio = Double(plain.end - start) / Double(ideal)
    var wait = -1e9
    for place in 0..<6 {
      let share = Double(place * place) / 30 + Double(random.next() % 100) / 1_000
      let at = start + Int64(Double(plain.end - start) * share)
      let urgent = execute(lengths, workers, urgentAt: at)
      // The longest of what executes at that time.
      var longest: Int64 = 0
      for (start, length) in zip(urgent.starts, lengths)
      where start <= at + 1_000_000 && start + length >= at {
        longest = max(longest, length)
      }
      wait = max(wait, Double(urgent.urgentStart - at - 2 * longest) / 1e6)
    }
    return (ratio, wait, plain.recalls)
  }

  private static func execute(_ lengths: [Int64], _ workers: Int, urgentAt: Int64?) -> (
    end: Int64, starts: [Int64], urgentStart: Int64, recalls: Int
  ) {
    var pool = LinePool(workers: workers) { $0.index < lengths.count ? lengths[$0.index] : 1_000 }
    let (kind, queue) = (pool.kind, pool.queue)
    pool.submit { machine, now in
      let ids = lengths.map { _ in machine.create(OperationSpec(kind: kind)) }
      machine.enqueue(ids, in: queue, at: now)
    }
    if let urgentAt {
      pool.submit(at: Instant(nanoseconds: urgentAt)) { machine, now in
        let id = machine.create(OperationSpec(kind: kind, priority: .veryHigh))
        machine.enqueue([id], in: queue, at: now)
      }
    }
    pool.run()
    var starts = [Int64](repeating: 0, count: lengths.count)
    var urgentStart: Int64 = 0
    for (id, start) in pool.starts {
      if id.index < lengths.count {
        starts[id.index] = start.nanoseconds
      } else {
        urgentStart = start.nanoseconds
      }
    }
    return (pool.end.nanoseconds, starts, urgentStart, pool.recallCount)
  }

  /// When the last of these ends, each begun by the worker that is free first.
  static func listScheduling(_ lengths: some Sequence<Int64>, workers: Int) -> Int64 {
    var ends = [Int64](repeating: 0, count: workers)
    for length in lengths {
      let least = ends.indices.min { ends[$0] < ends[$1] } ?? 0
      ends[least] += length
    }
    return ends.max() ?? 0
  }
}

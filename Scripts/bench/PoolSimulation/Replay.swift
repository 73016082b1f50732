import Foundation
import PoolCore
import PoolModel

/// Replays workflows in virtual time: how far from the best possible each order of dispatch is.
enum Replay {
  /// How ranks are found.
  private enum Order: String, CaseIterable {
    case submission
    /// Each weighs the same: the longest chain by its number of tasks.
    case weightOne = "weight one"
    /// Each weighs what it will take.
    case history
    /// As before, but each time is wrong by a random factor between a half and two.
    case roughHistory = "rough history"
  }

  private static let widths = [2, 4, 8, 16, 32, 64]

  /// A makespan over the longer of the critical path and an even share of the work.
  private struct Figure {
    var family: String
    var width: Int
    var order: Order
    var ratio: Double
  }

  /// Prints two tables in Markdown: by width, and by family, which is the folder of a file.
  static func run(_ paths: [String]) throws {
    var figures: [Figure] = []
    var sizes: [String: [Int]] = [:]
    for path in paths {
      let instance = try WorkflowInstance(path: path)
      guard !instance.durations.isEmpty else { continue }
      let family = URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent
      sizes[family, default: []].append(instance.durations.count)
      for width in widths {
        let bound = max(Double(instance.criticalPath), Double(instance.work) / Double(width))
        for order in Order.allCases {
          let ratio = Double(makespan(of: instance, order, width)) / bound
          figures.append(Figure(family: family, width: width, order: order, ratio: ratio))
        }
      }
    }
    print("\(paths.count) instances, \(sizes.values.joined().reduce(0, +)) tasks\n")
    table("workers", widths.map { width in ("\(width)", figures.filter { $0.width == width }) })
    table(
      "workflow (instances, tasks)",
      sizes.sorted { $0.key < $1.key }.map { family, counts in
        let range = "\(counts.min() ?? 0) to \(counts.max() ?? 0)"
        return ("\(family) (\(counts.count), \(range))", figures.filter { $0.family == family })
      }
    )
  }

  private static func makespan(of instance: WorkflowInstance, _ order: Order, _ width: Int) -> Int64
  {
    var pool = VirtualPool(workers: width) { instance.durations[$0.index] }
    let kind = pool.kind
    let queue = pool.queue
    let ranks = ranks(of: instance, order)
    pool.tell { machine, now in
      let ids = instance.durations.map { _ in machine.create(OperationSpec(kind: kind)) }
      for task in ids.indices {
        for edge in instance.rows.range(of: task) {
          let parent = ids[Int(instance.rows.targets[edge])]
          machine.change(.addDependency(of: ids[task], on: parent, requiring: .succeeded), at: now)
        }
      }
      machine.enqueue(ids, by: ranks, in: queue, at: now)
    }
    while pool.turn({ _ in }) {}
    precondition(pool.settledCount == instance.durations.count, "every task has been executed")
    return pool.now.nanoseconds
  }

  private static func ranks(of instance: WorkflowInstance, _ order: Order) -> [Int64]? {
    switch order {
    case .submission: nil
    case .weightOne:
      RemainingWork.lengths(instance.rows, weights: instance.durations.map { _ in 1 })
    case .history: RemainingWork.lengths(instance.rows, weights: instance.durations)
    case .roughHistory:
      RemainingWork.lengths(instance.rows, weights: roughened(instance.durations))
    }
  }

  private static func roughened(_ durations: [Int64]) -> [Int64] {
    var random = SplitMix(state: 1)
    return durations.map { duration in
      let exponent = Double(random.next() >> 11) / Double(1 << 53) * 2 - 1
      return max(Int64(Double(duration) * exp2(exponent)), 1)
    }
  }

  private static func table(_ title: String, _ rows: [(name: String, figures: [Figure])]) {
    let columns = Order.allCases.map { "\($0.rawValue): mean | worst" }
    print("| \(title) | \(columns.joined(separator: " | ")) |")
    print("|---|" + String(repeating: "---|", count: 2 * Order.allCases.count))
    for (name, figures) in rows {
      let cells = Order.allCases.map { order in
        let ratios = figures.filter { $0.order == order }.map(\.ratio)
        let mean = exp(ratios.reduce(0) { $0 + log($1) } / Double(ratios.count))
        return String(format: "%.3f | %.2f", mean, ratios.max() ?? 0)
      }
      print("| \(name) | \(cells.joined(separator: " | ")) |")
    }
    print("")
  }
}

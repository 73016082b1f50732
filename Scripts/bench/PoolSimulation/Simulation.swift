import Foundation
import PoolModel

/// The real core in virtual time: `Scripts/bench/workflows/replay` and `Scripts/bench/scale` build
/// and run it.
@main
enum Simulation {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "replay": try Replay.run(Array(arguments.dropFirst()))
    case "scale": scale(arguments.dropFirst().compactMap { Int($0) })
    case "machines": machines(arguments.dropFirst().compactMap { Int($0) })
    case "mixed": Mixed.run(seeds: arguments.dropFirst().first.flatMap { Int($0) } ?? 10)
    default:
      print(
        "usage: pool-simulation replay FILE… | scale [OPERATIONS [WORKERS]] | mixed [SEEDS] | "
          + "machines [OPERATIONS [MACHINES [SLOTS]]]"
      )
      exit(2)
    }
  }

  /// Prints three tables in Markdown: the cost by workers, by what waits, and where it saturates.
  private static func scale(_ numbers: [Int]) {
    let operations = numbers.first ?? 10_000_000
    let workers = numbers.count > 1 ? numbers[1] : 10_000
    let titles = [
      "operations", "workers", "waits for", "in the queue", "answers a turn", "ns an operation",
      "workers busy",
    ]
    print("| \(titles.joined(separator: " | ")) |")
    print("|" + String(repeating: "---|", count: titles.count))
    for isStencil in [false, true] {
      for count in [max(workers / 100, 1), max(workers / 10, 1), workers] {
        row(Scale(operations: operations / 10, workers: count, isStencil: isStencil))
      }
      var largest = Scale(operations: operations, workers: workers, isStencil: isStencil)
      row(largest)
      largest.operations = operations / 10
      largest.window = operations / 10
      row(largest)
      largest.quantum = 0
      row(largest)
    }
    saturate(operations / 10, workers)
    var usage = rusage()
    // RUSAGE_SELF, whose type differs from system to system.
    getrusage(0, &usage)
    print("peak memory: \(usage.ru_maxrss >> 10) MiB")
  }

  /// Prints where one coordinator saturates whose workers are on other machines.
  private static func machines(_ numbers: [Int]) {
    let operations = numbers.first ?? 1_000_000
    let machines = numbers.count > 1 ? numbers[1] : 1_000
    let slots = numbers.count > 2 ? numbers[2] : 64
    print("| machines | workers | mean execution, ms | had, operations/s | workers busy |")
    print("|---|---|---|---|---|")
    for count in [machines / 100, machines / 10, machines] where count > 0 {
      for milliseconds in [10_000, 1_000, 300, 100, 30, 10] {
        var scale = Scale(operations: max(operations, 10 * count * slots), workers: count * slots)
        scale.machines = count
        scale.window = 2 * scale.workers
        scale.duration = .milliseconds(milliseconds)
        // What the kernel has gathered meanwhile is read in one turn.
        scale.quantum = .milliseconds(1)
        scale.isCharged = true
        let figures = scale.run()
        let cells = [
          "\(count)", "\(scale.workers)", "\(milliseconds)", String(format: "%.0f", figures.rate),
          String(format: "%.1f %%", 100 * figures.utilisation),
        ]
        say("| \(cells.joined(separator: " | ")) |")
      }
    }
  }

  private static func row(_ scale: Scale) {
    let figures = scale.run()
    let cells = [
      "\(scale.operations)", "\(scale.workers)", scale.isStencil ? "3" : "0", "\(scale.window)",
      String(format: "%.1f", figures.answersPerTurn), String(format: "%.0f", figures.coreTime),
      String(format: "%.1f %%", 100 * figures.utilisation),
    ]
    say("| \(cells.joined(separator: " | ")) |")
  }

  /// Shorter and shorter operations, while workers wait for the core as they would.
  private static func saturate(_ operations: Int, _ workers: Int) {
    print("\n| mean execution, ms | wanted, operations/s | had, operations/s | workers busy |")
    print("|---|---|---|---|")
    for milliseconds in [1_000, 300, 100, 30, 20, 10, 5, 2, 1] {
      var scale = Scale(operations: operations, workers: workers)
      scale.duration = .milliseconds(milliseconds)
      scale.quantum = 0
      scale.isCharged = true
      let figures = scale.run()
      let wanted = Double(workers) * 1_000 / Double(milliseconds)
      let cells = [
        "\(milliseconds)", String(format: "%.0f", wanted), String(format: "%.0f", figures.rate),
        String(format: "%.1f %%", 100 * figures.utilisation),
      ]
      say("| \(cells.joined(separator: " | ")) |")
    }
    print("")
  }

  /// Figures appear as they come, also in a file.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}

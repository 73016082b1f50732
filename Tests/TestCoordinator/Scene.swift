import Foundation
import OperationPool
import PoolSystem
import PoolTestSupport

/// What a coordinator goes through, and prints.
enum Scene {
  static func play(_ name: String) async throws {
    switch name {
    case "own-worker": try await ownWorker()
    case "starve": try await starve()
    case "deaths": try await deaths()
    case "closer": try await closer()
    case "launches": try await launches()
    case "outputs": try await outputs()
    case "drop": try await drop()
    case "inputs": try await inputs()
    case "queues": try await queues()
    case "blocks": try await blocks()
    case "shared": try await shared()
    case "printing": try await printing()
    case "storm": try await storm()
    case "interrupted": try await interrupted(listens: false)
    case "listening": try await interrupted(listens: true)
    case "marked": marked()
    case "late-worker": await lateWorker()
    case "end": try end(canOpen: true)
    case "unopened-end": try end(canOpen: false)
    default: print("no such scene: \(name)")
    }
  }

  static func testWorkers(_ count: Int) -> PoolWorkerConfiguration {
    .executable(Repository.program("test-worker"), count: count)
  }

  static var descriptorCount: Int { openDescriptors.count }

  /// Open descriptors of this process and what they are, but for the timers: Dispatch opens one for
  /// each clock when the clock is first used, and keeps it.
  static var openDescriptors: [String] {
    let folder = "/proc/self/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.compactMap { number in
      let path = "\(folder)/\(number)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      return target.flatMap { $0.hasSuffix("[timerfd]") ? nil : "\(number) \($0)" }
    }
  }

  /// Child processes of this process, dead or alive.
  static var childCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.reduce(0) { sum, task in
      let path = "/proc/self/task/\(task)/children"
      let children = try? String(contentsOfFile: path, encoding: .utf8)
      return sum + (children ?? "").split(separator: " ").count
    }
  }

  /// Waits until something that ends on other threads has ended.
  static func settle(_ seconds: Double = 200, _ condition: () -> Bool) async -> Bool {
    let deadline = MonotonicClock.now + .seconds(seconds)
    while !condition() {
      guard MonotonicClock.now < deadline else { return false }
      await Task.yield()
    }
    return true
  }
}

import Foundation
import OperationPool
import PoolTestSupport

extension Scene {
  /// Tasks are cancelled at random: prints what has gone wrong, and what is left.
  ///
  /// The number of tasks and the first seed may follow the scene's name.
  static func storm() async throws {
    let numbers = CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }
    let total = Int(numbers.first ?? 600)
    let seed = numbers.dropFirst().first ?? 1
    // What Dispatch and Foundation open for good is opened once.
    for seed in UInt64(1)...4 { try await rage(seed, 50) }
    let (descriptors, threads) = (descriptorCount, threadCount)
    for (round, start) in stride(from: 0, to: total, by: 250).enumerated() {
      try await rage(seed &+ UInt64(round), min(250, total - start))
    }
    // Threads of Dispatch and of the runtime come and go.
    let limit = max(threads, 8) + 2 * ProcessInfo.processInfo.activeProcessorCount
    let isFlat = await settle(60) {
      childCount == 0 && descriptorCount <= descriptors && threadCount <= limit
    }
    guard !isFlat else { return print("calm") }
    print("\(childCount) processes, \(descriptorCount - descriptors) descriptors,")
    print("\(threadCount) threads after \(threads) are left; open are:")
    for descriptor in openDescriptors { print(descriptor) }
  }

  private static func rage(_ seed: UInt64, _ count: Int) async throws {
    let ledger = StormLedger()
    var faults = try await CancellationStorm(seed: seed, count: count, ledger).rage()
    faults += await ledger.close()
    // At once, should a later storm hang.
    for fault in faults {
      FileHandle.standardOutput.write(Data("seed \(seed): \(fault)\n".utf8))
    }
  }
}

import PoolTestSupport
import Testing

@testable import OperationWorker

/// Two threads that take turns at reading, in any order.
@Suite("Turns at reading, in any order")
struct ReadingModelTests {
  /// The executor may come by once and be back in its operation before the I/O thread looks again.
  private static let patience = 2

  private func run(
    _ model: inout ReadingModel,
    _ count: Int,
    _ generator: inout SeededGenerator
  ) throws {
    // How seldom something comes, and how often the I/O thread looks meanwhile.
    let rarity = [2, 20, 100].randomElement(using: &generator) ?? 2
    let looks = [1, 2, 50].randomElement(using: &generator) ?? 1
    for _ in 0..<count {
      if Int.random(in: 0..<rarity, using: &generator) == 0 {
        model.send([.work, .work, .request, .recall].randomElement(using: &generator) ?? .work)
      }
      if Int.random(in: 0...looks, using: &generator) > 0 {
        if model.canIOThreadStep { try model.stepIOThread() }
      } else if model.canExecutorStep {
        try model.stepExecutor(sends: .random(using: &generator))
      }
      try #require(!model.executorReads || !model.ioThreadReads, "both read")
      try #require(model.idleLooks <= Self.patience, "nobody reads")
    }
  }

  /// However long an operation takes, a request must be heard meanwhile.
  private func listen(_ model: inout ReadingModel) throws {
    guard model.executor == .executing else { return }
    model.send(.request)
    for _ in 0..<10 where model.canIOThreadStep { try model.stepIOThread() }
    try #require(model.input.isEmpty, "nobody listens while an operation executes")
  }

  /// What was sent is done in the end, with nobody's help.
  private func settle(_ model: inout ReadingModel, _ generator: inout SeededGenerator) throws {
    for _ in 0..<10_000 where !model.isQuiet {
      if Bool.random(using: &generator) {
        if model.canExecutorStep { try model.stepExecutor(sends: .random(using: &generator)) }
      } else if model.canIOThreadStep {
        try model.stepIOThread()
      }
    }
    try #require(model.isQuiet, "something was left undone")
  }

  @Test("One reads, and one always does", arguments: RandomSeeds.first(100, share: 5))
  func anyOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var model = try ReadingModel()
    for _ in 0..<20 {
      try run(&model, .random(in: 1...400, using: &generator), &generator)
      try listen(&model)
      if Bool.random(using: &generator) { try settle(&model, &generator) }
    }
  }
}

import PoolTestSupport
import Testing

@testable import OperationWorker

/// The machine under its two threads, in any order.
@Suite("The worker's machine: two threads in any order")
struct TwoThreadsTests {
  /// The main thread may come by once and be back in its operation before the I/O thread looks
  /// again.
  private static let looksWithoutReader = 2

  private func run(
    _ model: inout TwoThreadsModel,
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
        if model.canIOStep { try model.stepIO() }
      } else if model.canMainStep {
        try model.stepMain(writes: .random(using: &generator))
      }
      try check(model)
    }
  }

  private func check(_ model: borrowing TwoThreadsModel) throws {
    let contradiction = model.contradiction
    try #require(contradiction == nil)
    let looks = model.idleLooks
    try #require(looks <= Self.looksWithoutReader, "neither thread reads")
    let isInOrder = model.isInOrder
    try #require(isInOrder, "each operation begins once, in order")
  }

  /// However long an operation takes, a request must be heard meanwhile.
  private func listen(_ model: inout TwoThreadsModel) throws {
    guard model.main == .executing else { return }
    model.send(.request)
    for _ in 0..<10 where model.canIOStep { try model.stepIO() }
    let isHeard = model.input.isEmpty
    try #require(isHeard, "neither thread listens while an operation executes")
  }

  /// What was sent is done in the end.
  private func settle(_ model: inout TwoThreadsModel, _ generator: inout SeededGenerator) throws {
    for _ in 0..<10_000 where !model.isQuiet {
      if Bool.random(using: &generator) {
        if model.canMainStep { try model.stepMain(writes: .random(using: &generator)) }
      } else if model.canIOStep {
        try model.stepIO()
      }
      try check(model)
    }
    let isQuiet = model.isQuiet
    try #require(isQuiet, "something was left undone")
  }

  @Test("One reads, and one always does", arguments: RandomSeeds.first(100, share: 5))
  func anyOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var model = try TwoThreadsModel()
    for _ in 0..<20 {
      try run(&model, .random(in: 1...400, using: &generator), &generator)
      try listen(&model)
      if Bool.random(using: &generator) { try settle(&model, &generator) }
    }
    model.send(Bool.random(using: &generator) ? .drain : .end)
    try settle(&model, &generator)
    let hasEnded = model.isExited || model.main == .returned
    #expect(hasEnded, "the worker goes on after it was drained, or its input has ended")
  }
}

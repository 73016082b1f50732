import OperationPool
import PoolModel
import Testing

/// Contract: an operation that is skipped names the operation that is the root cause, and its end.
@Suite("Causes of skips", .timeLimit(.minutes(30)))
struct SkipCauseTests {
  private func block(_ name: String, after other: PoolOperation) throws -> PoolBlockOperation {
    let block = PoolBlockOperation(options: PoolOperationOptions(name: name)) {}
    try block.addDependency(other, requiring: .succeeded)
    return block
  }

  @Test("along a chain, and added after the end, all name the root")
  func chain() async throws {
    let queue = try Pools.queue()
    let root = operation("fail", #"{"message":"no input"}"#, name: "root")
    let middle = try block("middle", after: root)
    let leaf = try block("leaf", after: middle)
    let other = PoolBlockOperation {}
    try leaf.addDependency(other)
    try queue.addOperations([root, middle, leaf, other])
    try await queue.allOperationsFinished()
    let late = try [block("late", after: root), block("later", after: leaf)]
    try queue.addOperations(late)
    try await queue.allOperationsFinished()
    let sentence = "a dependency did not end as it required: 'root' failed: no input"
    for skipped in [middle, leaf] + late {
      let failure = skipped.outcome?.failure
      #expect(failure?.cause == .dependency && failure?.sentence == sentence)
    }
  }

  @Test("of several dependencies the one that is the cause is named, also where that succeeded")
  func several() async throws {
    let queue = try Pools.queue()
    let good = PoolBlockOperation(options: PoolOperationOptions(name: "good")) {}
    let alarm = PoolBlockOperation {}
    try alarm.addDependency(good, requiring: .failed)
    try queue.addOperations([good, alarm])
    let outcome = try await alarm.finished()
    #expect(
      outcome.failure?.sentence == "a dependency did not end as it required: 'good' succeeded"
    )
  }
}

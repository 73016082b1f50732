import Testing

/// Contract: tasks may be cancelled at any moment around whatever awaits, while their queue is shut
/// down: nothing hangs, nothing is left, and each operation has one outcome.
///
/// `Scripts/verify/cancel-storm` does the same with 10,000 tasks, also under the thread sanitizer.
@Suite("Storms of cancellations", .timeLimit(.minutes(30)))
struct CancellationStormTests {
  @Test("600 tasks that are cancelled at random leave nothing, and are told the truth")
  func storm() async throws {
    let printed = try await Scenes.play("storm 600 1")
    #expect(printed == ["calm"])
  }
}

import PoolSystem
import Testing

/// Waiting for the end of a child that other code must reap.
@Suite(
  "Awaited ends",
  .enabled(if: Subreaper() != nil, "needs adopted orphans"),
  .timeLimit(.minutes(30))
)
struct AwaitedEndTests {
  private func play(_ scene: String) async throws -> (state: String, waits: Int, work: Int) {
    let lines = try await Scenes.play(scene, descriptorLimit: 64)
    try #require(lines.count == 3, "\(lines)")
    return (lines[0], try #require(Int(lines[1])), try #require(Int(lines[2])))
  }

  /// Polling each millisecond would have waited 300 times.
  @Test("An end is noticed when it comes, without polling meanwhile")
  func opened() async throws {
    let end = try await play("end")
    #expect(end.state == "ended" && end.waits < 30 && end.work < 100, "\(end)")
  }

  /// As in a system that cannot open processes.
  @Test("Where no process can be opened, an end is waited for none the less, and not busily")
  func unopened() async throws {
    let end = try await play("unopened-end")
    #expect(end.state == "ended" && end.waits > 30 && end.work < 100, "\(end)")
  }
}

import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

/// Contract: descriptors are neither leaked nor taken from other code; each row of the table of
/// Foundation's faults has its test here or beside the hostile operations.
@Suite("Descriptors", .timeLimit(.minutes(30)))
struct DescriptorTests {
  @Test("500 workers come and go, and the descriptors stay flat")
  func spawns() async throws {
    let growth = try await Scenes.play("deaths").first.flatMap { Int($0) }
    #expect((growth ?? .max) <= 0)
  }

  @Test("100 launches fail, and the descriptors stay flat")
  func launches() async throws {
    let growth = try await Scenes.play("launches").first.flatMap { Int($0) }
    #expect((growth ?? .max) <= 0)
  }

  @Test("outcomes that are kept keep no descriptor")
  func outputs() async throws {
    let words = try await Scenes.play("outputs").first?.split(separator: " ") ?? []
    #expect(words.last == "true")
    #expect(words.first.flatMap { Int($0) }.map { $0 <= 0 } == true)
  }

  @Test("with too few descriptors left, a spawn is refused and nothing is closed")
  func starvation() async throws {
    let refusal = "opening 16 descriptors: Too many open files"
    let lines = try await Scenes.play("starve", descriptorLimit: 20)
    #expect(lines == ["noWorker", "open", refusal])
  }
}

import PoolModel
import Testing

@testable import OperationPool

/// Which deaths the count of the out-of-memory killer explains.
struct MemoryKillsTests {
  @Test("each kill explains one death, even where several are heard at once")
  func several() {
    var kills = MemoryKills(3, at: .zero)
    let counts = [3, 5, 5, 5, 6, 6]
    #expect(counts.map { kills.explain($0) } == [false, true, true, false, true, false])
  }

  @Test("a death is explained by a kill that was counted a moment ago, and not by an older one")
  func age() {
    var kills = MemoryKills(0, at: .zero)
    let second = Instant(nanoseconds: .seconds(1))
    #expect(!kills.isDue(at: Instant(nanoseconds: second.nanoseconds - 1)))
    #expect(kills.isDue(at: second))
    kills.note(1, at: second)
    var late = kills
    let explainsLate = late.explain(1)
    #expect(explainsLate)
    kills.note(1, at: second.advanced(by: .seconds(1)))
    let explainsLater = kills.explain(1)
    #expect(!explainsLater)
  }

  @Test("a system that does not count explains nothing")
  func unknown() {
    var kills = MemoryKills(nil, at: .zero)
    let explains = kills.explain(nil) || kills.explain(7)
    #expect(!explains)
  }
}

import PoolModel
import Testing

@testable import OperationPool

/// Which deaths the count of the out-of-memory killer explains.
struct MemoryKillsTests {
  @Test("each kill explains one death, even where several are heard at once")
  func several() {
    var kills = MemoryKills(3, at: .zero)
    let counts = [3, 5, 5, 5, 6, 6]
    #expect(counts.map { kills.explain($0, at: .zero) } == [false, true, true, false, true, false])
  }

  @Test("a death is explained by a kill that was counted a moment ago, and not by an older one")
  func age() {
    var kills = MemoryKills(0, at: .zero)
    let second = Instant(nanoseconds: .seconds(1))
    #expect(!kills.isDue(at: Instant(nanoseconds: second.nanoseconds - 1)))
    #expect(kills.isDue(at: second))
    kills.note(1, at: second)
    var late = kills
    let explainsLate = late.explain(1, at: second)
    #expect(explainsLate)
    let later = second.advanced(by: .seconds(1))
    kills.note(1, at: later)
    let explainsLater = kills.explain(1, at: later)
    #expect(!explainsLater)
  }

  /// Nobody has looked meanwhile, so it may have been long ago.
  @Test("a kill explains nothing after a time in which the count was not read")
  func gap() {
    let hour = Instant(nanoseconds: .seconds(3_600))
    var kills = MemoryKills(0, at: .zero)
    let explainsAtOnce = kills.explain(1, at: hour)
    #expect(!explainsAtOnce)
    kills.note(1, at: hour)
    let explainsLater = kills.explain(1, at: hour)
    #expect(!explainsLater)
    let explainsNext = kills.explain(2, at: hour)
    #expect(explainsNext)
  }

  @Test("a system that does not count explains nothing")
  func unknown() {
    var kills = MemoryKills(nil, at: .zero)
    let explains = kills.explain(nil, at: .zero) || kills.explain(7, at: .zero)
    #expect(!explains)
  }
}

import Foundation
import PoolModel
import PoolRaces
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: no wake-up is ever lost, however an addition, a dependency or a gate falls together
/// with the end of what is waited for (Foundation's defect D3).
///
/// `OPOOL_RACES` gives another number of races of each of the five sorts than 4,000;
/// `Scripts/verify/stress` has a million.
@Suite("Races", .serialized, .timeLimit(.minutes(30)))
struct RaceTests {
  private static let count =
    ProcessInfo.processInfo.environment["OPOOL_RACES"].flatMap { Int($0) } ?? 4_000

  @Test(
    "nothing is lost when one operation finishes while another is added",
    arguments: Race.allCases
  )
  func races(race: Race) async throws {
    let started = MonotonicClock.now
    let endings = try await Blocking.run { try RaceMill().run([race], count: Self.count) }
    let seconds = Double(MonotonicClock.now - started) / 1e9
    print("\(Self.count) races of \(race): \(endings), \(seconds) s")
    #expect(endings == [.succeeded: 2 * Self.count])
  }
}

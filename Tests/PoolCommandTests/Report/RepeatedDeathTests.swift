import Testing

@testable import PoolCommand
@testable import PoolReports

@Suite("Workers that end alike")
struct RepeatedDeathTests {
  /// Those of the facts that are reported.
  private func reported(_ facts: [String], of deaths: inout RepeatedDeaths) -> [String] {
    var reported: [String] = []
    for fact in facts where deaths.add(fact) { reported.append(fact) }
    return reported
  }

  @Test("The first of each way is reported, and the others are counted")
  func counted() {
    var deaths = RepeatedDeaths()
    let (late, missing) = ("did not greet in time", "could not be started: no room")
    #expect(reported([late, missing], of: &deaths) == [late, missing])
    #expect(deaths.lines == [])
    let others = [String](repeating: late, count: 918) + [missing]
    #expect(reported(others, of: &deaths) == [])
    #expect(
      deaths.lines == [
        "opool: 918 more workers did not greet in time",
        "opool: 1 more worker could not be started: no room",
      ]
    )
  }

  @Test("Beyond the limit, each is reported, and none is counted")
  func bounded() {
    var deaths = RepeatedDeaths()
    let facts = (0..<2 * RepeatedDeaths.limit).map { "exited with \($0)" }
    #expect(reported(facts, of: &deaths) == facts)
    #expect(reported(facts, of: &deaths) == Array(facts[RepeatedDeaths.limit...]))
    #expect(deaths.lines.count == RepeatedDeaths.limit)
  }
}

import PoolModel
import Testing

@testable import PoolCore

/// Where several workers could execute an operation, one is preferred.
@Suite("Preferred workers")
struct PreferenceScenarios {
  /// A far worker, added first, and a near one; both have greeted, the far one first.
  private func greeted(_ far: Bool, _ near: Bool) -> Scenario {
    let specs = [far, near].map { isFar in
      var spec = ConfigurationSpec(count: 1)
      spec.isFar = isFar
      spec.isEager = true
      return spec
    }
    let scenario = Scenario(configurations: specs)
    let order = far && !near ? ["spawn 1 of 1", "spawn 2 of 0"] : ["spawn 1 of 0", "spawn 2 of 1"]
    scenario.submit([.init("first")], order[0], order[1])
    return scenario
  }

  @Test("a worker of this machine goes before one that may be far, whichever was added first")
  func near() {
    let scenario = greeted(true, false)
    scenario.greet(1, "announce 1", "dispatch first to 1 as attempt 1")
    scenario.greet(2, "announce 0")
    scenario.start("first", "first executes on 1 as attempt 1")
    scenario.answer("first", .succeeded, "settle first succeeded by answer in attempt 1 on 1")
    scenario.submit(
      [.init("second"), .init("third")],
      "dispatch second to 1 as attempt 1",
      "dispatch third to 2 as attempt 1"
    )
  }

  @Test("of two that are alike, the earlier one goes first")
  func earlier() {
    let scenario = greeted(true, true)
    scenario.greet(2, "announce 1", "dispatch first to 2 as attempt 1")
    scenario.greet(1, "announce 0")
    scenario.start("first", "first executes on 2 as attempt 1")
    scenario.answer("first", .succeeded, "settle first succeeded by answer in attempt 1 on 2")
    scenario.submit(
      [.init("second"), .init("third")],
      "dispatch second to 1 as attempt 1",
      "dispatch third to 2 as attempt 1"
    )
  }

  @Test("one that has proved to be on this machine goes before those that have not")
  func proof() {
    let scenario = greeted(true, true)
    scenario.greet(2, "announce 1", "dispatch first to 2 as attempt 1")
    scenario.greet(1, "announce 0")
    scenario.start("first", "first executes on 2 as attempt 1")
    scenario.expect([], #_sourceLocation) { $0.supervise(.proved(WorkerID(rawValue: 2)), at: $1) }
    scenario.answer("first", .succeeded, "settle first succeeded by answer in attempt 1 on 2")
    scenario.submit(
      [.init("second"), .init("third")],
      "dispatch second to 2 as attempt 1",
      "dispatch third to 1 as attempt 1"
    )
  }
}

import PoolModel
import Testing

@testable import PoolCore

/// Dependencies that are taken back, cycles, and operations that end outside.
@Suite("Changing dependencies")
struct ChangedDependencyScenarios {
  private func staffed() -> Scenario {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    return scenario
  }

  @Test("without its last dependency that has not ended, an operation is ready at once")
  func lastUnfinished() {
    let scenario = staffed()
    scenario.create(.init("y"))
    scenario.create(.init("z"))
    scenario.submit([.init("a", after: ["y", "z"])])
    scenario.unlink("a", from: "y")
    // It is not a dependency any more.
    scenario.unlink("a", from: "y")
    scenario.unlink("a", from: "z", "dispatch a to 1 as attempt 1")
    #expect(scenario.machine.graph.edges.count == 0)
  }

  @Test("one that would have been skipped is pardoned when that dependency is removed")
  func pardoned() {
    let scenario = staffed()
    for name in ["a", "z"] { scenario.create(.init(name)) }
    scenario.link("a", after: "z", .succeeded)
    scenario.conclude("z", as: .failed)
    scenario.unlink("a", from: "z")
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
  }

  @Test("it stays pardoned while it waits for others, and can be doomed again")
  func pardonedTwice() {
    let scenario = staffed()
    for name in ["a", "y", "z"] { scenario.create(.init(name)) }
    scenario.link("a", after: "z", .succeeded)
    scenario.link("a", after: "y", .succeeded)
    scenario.conclude("z", as: .failed)
    scenario.unlink("a", from: "z")
    scenario.conclude("y", as: .cancelled)
    scenario.enqueue("a", expecting: ["settle a skipped by dependency of y"])
  }

  @Test("what was dispatched, or has settled, has no dependency to lose")
  func tooLate() {
    let scenario = staffed()
    scenario.submit(
      [.init("a"), .init("b")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.unlink("b", from: "a")
    scenario.execute("b")
    scenario.unlink("b", from: "a")
  }

  @Test("a cycle is refused with its path at once, queued or not, and nothing has changed")
  func cycles() {
    let scenario = staffed()
    scenario.create(.init("a"))
    scenario.refuseLink("a", after: "a", because: ["a"])
    scenario.submit([.init("b", after: ["a"])])
    scenario.submit([.init("c", after: ["b"])], in: scenario.machine.addQueue(to: scenario.fleet))
    scenario.refuseLink("a", after: "c", because: ["a", "c", "b"])
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .ready)
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "dispatch c to 1 as attempt 1")
  }

  @Test("a cycle is none any more when one of its dependencies was removed")
  func opened() {
    let scenario = staffed()
    for name in ["a", "b"] { scenario.create(.init(name)) }
    scenario.link("b", after: "a", .finished)
    scenario.refuseLink("a", after: "b", because: ["a", "b"])
    scenario.unlink("b", from: "a")
    scenario.link("a", after: "b", .finished)
    scenario.enqueue("a", "b", expecting: ["dispatch b to 1 as attempt 1"])
    scenario.execute("b", then: "dispatch a to 1 as attempt 1")
  }

  @Test("an operation that ends outside does so for its dependents, and is in no queue")
  func concluded() {
    let scenario = staffed()
    scenario.create(.init("z"))
    scenario.submit([
      .init("a", after: ["z"]), .init("b", after: ["z"], when: .failed),
    ])
    scenario.conclude(
      "z",
      as: .failed,
      "settle a skipped by dependency of z",
      "dispatch b to 1 as attempt 1"
    )
    // It ends once, and cannot be added.
    scenario.conclude("z", as: .succeeded)
    scenario.enqueue("z")
    #expect(scenario.machine.graph.phase(of: scenario.id("z")) == .finished)
    scenario.submit([.init("c", after: ["z"])], "settle c skipped by dependency of z")
    scenario.release("z")
    #expect(scenario.machine.graph.edges.count == 0)
  }

  @Test("what is in a queue does not end outside")
  func notConcluded() {
    let scenario = staffed()
    scenario.suspend()
    scenario.submit([.init("a")])
    scenario.conclude("a", as: .succeeded)
    scenario.resume("dispatch a to 1 as attempt 1")
    scenario.conclude("a", as: .succeeded)
  }

  @Test("one outside that is forgotten before it has ended counts as cancelled")
  func forgotten() {
    let scenario = staffed()
    scenario.create(.init("z"))
    scenario.submit([
      .init("a", after: ["z"], when: .cancelled), .init("b", after: ["z"], when: .finished),
      .init("c", after: ["z"]), .group("j", of: ["z"]),
    ])
    scenario.release(
      "z",
      "settle c skipped by dependency of z",
      "settle j cancelled by dependency of z",
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
  }

  @Test("one that was forgotten while it waited leaves no edge behind")
  func forgottenDependent() {
    let scenario = staffed()
    for name in ["a", "z"] { scenario.create(.init(name)) }
    scenario.addGate("a")
    scenario.link("a", after: "z", .finished)
    scenario.release("a")
    #expect(scenario.machine.graph.edges.count == 0)
    scenario.enqueue("z", expecting: ["dispatch z to 1 as attempt 1"])
  }
}

import PoolModel
import Testing

@testable import PoolCore

/// Which operations wait for which, and what an end means for dependents.
@Suite("Dependencies")
struct DependencyScenarios {
  /// A scenario whose one worker executes `a`, with these others waiting.
  private func executing(_ waiting: [Scenario.Plan]) -> Scenario {
    let scenario = Scenario()
    scenario.submit([.init("a")] + waiting, "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("a fan of dependents becomes ready at once, in the order of submission")
  func fanOut() {
    let scenario = executing([.init("b", after: ["a"]), .init("c", after: ["a"])])
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
    #expect(scenario.machine.dispatcher.readyCount == 1)
  }

  @Test("an operation waits for the last of its dependencies")
  func fanIn() {
    let scenario = executing([.init("b"), .init("c", after: ["a", "b"])])
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.start("b", "b executes on 1 as attempt 1")
    scenario.answer(
      "b",
      .succeeded,
      "settle b succeeded by answer in attempt 1 on 1",
      "dispatch c to 1 as attempt 1"
    )
  }

  @Test("a failure skips what needs success, and then their dependents, naming the root")
  func cascade() {
    let scenario = executing([
      .init("b", after: ["a"]), .init("c", after: ["b"]), .init("d", after: ["b", "a"]),
      .init("e", after: ["c"], when: .finished),
    ])
    scenario.answer(
      "a",
      .failed,
      "settle a failed by answer in attempt 1 on 1",
      "settle b skipped by dependency of a",
      "settle d skipped by dependency of a",
      "settle c skipped by dependency of a",
      "dispatch e to 1 as attempt 1"
    )
    #expect(scenario.machine.graph.edges.count == 0)
  }

  /// What each requirement makes of each end that `a` can have while it executes.
  @Test(
    "each requirement lets its dependent execute exactly after the ends that it names",
    arguments: PoolRequirement.allCases
  )
  func requirements(_ requirement: PoolRequirement) {
    for ending in [PoolEnding.succeeded, .failed, .cancelled] {
      let scenario = executing([.init("b", after: ["a"], when: requirement)])
      if ending == .cancelled { scenario.cancel("a", "ask 1 to stop a") }
      let (reception, effects) = scenario.context { machine, now in
        machine.workerReported(
          .answered(ending, .error, .none),
          scenario.reference("a"),
          by: scenario.worker(of: "a"),
          at: now
        )
      }
      #expect(reception == .accepted)
      let follows =
        requirement.isMet(by: ending)
        ? "dispatch b to 1 as attempt 1" : "settle b skipped by dependency of a"
      #expect(effects.last == follows)
      #expect(effects.count == 2)
    }
  }

  @Test("a dependency on something that has settled counts at once")
  func settledDependency() {
    let scenario = executing([])
    scenario.answer("a", .failed, "settle a failed by answer in attempt 1 on 1")
    scenario.submit(
      [.init("b", after: ["a"]), .init("c", after: ["a"], when: .failed)],
      "settle b skipped by dependency of a",
      "dispatch c to 1 as attempt 1"
    )
  }

  @Test("a ready operation can be made to wait, and is ready again afterwards")
  func readyWaits() {
    let scenario = executing([.init("b"), .init("c")])
    scenario.link("b", after: "a", .failed)
    #expect(scenario.machine.graph.phase(of: scenario.id("b")) == .pending)
    #expect(scenario.machine.dispatcher.readyCount == 1)
    scenario.answer(
      "a",
      .failed,
      "settle a failed by answer in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
  }

  @Test("a ready operation that is made to wait for what has failed is skipped")
  func readySkipped() {
    let scenario = executing([])
    scenario.answer("a", .failed, "settle a failed by answer in attempt 1 on 1")
    scenario.machine.change(.suspended(true, scenario.queue))
    scenario.submit([.init("b")])
    scenario.link("b", after: "a", .succeeded, "settle b skipped by dependency of a")
    #expect(scenario.machine.dispatcher.readyCount == 0)
  }

  @Test("what was dispatched waits for nothing more")
  func dispatchedWaitsForNothing() {
    let scenario = executing([.init("b")])
    scenario.link("a", after: "b", .succeeded)
    #expect(scenario.machine.graph.edges.count == 0)
  }

  @Test("an operation whose dependency failed before it was added is skipped when it is")
  func willSkip() {
    let scenario = executing([])
    scenario.create(.init("b"))
    scenario.link("b", after: "a", .succeeded)
    scenario.answer("a", .failed, "settle a failed by answer in attempt 1 on 1")
    scenario.enqueue("b", expecting: ["settle b skipped by dependency of a"])
  }

  @Test("an operation that is forgotten before it was added ends as cancelled for dependents")
  func releasedDependency() {
    let scenario = executing([])
    scenario.create(.init("z"))
    scenario.submit([
      .init("b", after: ["z"]), .init("c", after: ["z"], when: .finished),
    ])
    scenario.expect(["settle b skipped by dependency of z"], #_sourceLocation) { machine, now in
      machine.release(scenario.id("z"), at: now)
    }
    #expect(scenario.machine.graph.edges.count == 0)
    #expect(scenario.machine.dispatcher.readyCount == 1)
  }

  @Test("slots and edges of everything that was released are used again")
  func nothingLeaks() {
    let scenario = executing([])
    let before = scenario.machine.graph.operations.handles.count
    for _ in 0..<100 {
      // Both end before what they wait for, in both orders of being forgotten.
      for order in [["b", "z"], ["z", "b"]] {
        scenario.create(.init("z"))
        scenario.submit([.init("b", after: ["z"])])
        scenario.cancel("b", "settle b cancelled by request")
        for name in order {
          scenario.expect([], #_sourceLocation) { $0.release(scenario.id(name), at: $1) }
        }
      }
    }
    #expect(scenario.machine.graph.edges.count == 0)
    #expect(scenario.machine.graph.operations.handles.count == before + 2)
    #expect(scenario.machine.dispatcher.order.count == 1)
  }

  @Test("an identifier that was kept for too long names nothing")
  func staleIdentifier() {
    let scenario = executing([])
    let first = scenario.id("a")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.expect([], #_sourceLocation) { $0.release(first, at: $1) }
    scenario.machine.change(.suspended(true, scenario.queue))
    scenario.submit([.init("b")])
    #expect(scenario.id("b").index == first.index)
    scenario.expect([], #_sourceLocation) { machine, now in
      machine.change(.cancel(first), at: now)
      machine.release(first, at: now)
      _ = machine.enqueue([first], in: scenario.queue, at: now)
      machine.change(.addDependency(of: first, on: scenario.id("b"), requiring: .finished), at: now)
    }
    #expect(scenario.machine.graph.phase(of: first) == .finished)
    #expect(scenario.machine.graph.phase(of: scenario.id("b")) == .ready)
  }
}

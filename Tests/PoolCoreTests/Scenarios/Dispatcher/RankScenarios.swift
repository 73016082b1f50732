import PoolModel
import Testing

@testable import PoolCore

/// Contract: within a priority a batch that has ranks is handed out by these, the highest first,
/// and in the order of the batch where they are equal; nothing else is different.
@Suite("Ranks")
struct RankScenarios {
  /// A pool whose only worker executes `x`.
  private func busy() -> Scenario {
    let scenario = Scenario()
    scenario.submit([.init("x")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch x to 1 as attempt 1")
    return scenario
  }

  /// Adds operations with ranks as one batch; nothing follows, since the worker is busy.
  private func submit(
    _ plans: [(Scenario.Plan, rank: Int64)],
    to scenario: Scenario,
    at place: SourceLocation = #_sourceLocation
  ) {
    for (plan, _) in plans { scenario.create(plan) }
    let cycle = scenario.expect([], place) { machine, now in
      for (plan, _) in plans {
        for other in plan.after {
          machine.change(
            .addDependency(
              of: scenario.id(plan.name),
              on: scenario.id(other),
              requiring: plan.when
            ),
            at: now
          )
        }
      }
      let ids = plans.map { scenario.id($0.0.name) }
      return machine.enqueue(ids, by: plans.map(\.rank), in: scenario.queue, at: now)
    }
    #expect(cycle == nil, sourceLocation: place)
  }

  /// Lets the worker execute all, and expects that they come in this order.
  private func expect(_ names: String..., in scenario: Scenario) {
    var current = "x"
    for next in names {
      scenario.execute(current, then: "dispatch \(next) to 1 as attempt 1")
      current = next
    }
  }

  @Test("the highest rank comes first, and equal ones in the order of the batch")
  func ranks() {
    let scenario = busy()
    submit(
      [(.init("a"), 1), (.init("b"), 3), (.init("c"), 3), (.init("d"), 7), (.init("e"), 0)],
      to: scenario
    )
    expect("d", "b", "c", "a", "e", in: scenario)
  }

  @Test("priority comes before rank")
  func priorities() {
    let scenario = busy()
    submit(
      [(.init("a", .low), 9), (.init("b"), 1), (.init("c", .high), 0), (.init("d"), 2)],
      to: scenario
    )
    expect("c", "d", "b", "a", in: scenario)
  }

  @Test("what becomes ready later takes the place that its rank gives it")
  func lateReadiness() {
    let scenario = busy()
    submit(
      [(.init("a"), 2), (.init("b"), 4), (.init("c", after: ["b"]), 3), (.init("d"), 1)],
      to: scenario
    )
    expect("b", "c", "a", "d", in: scenario)
  }

  @Test("a batch comes after all that was added before, whatever its ranks")
  func batches() {
    let scenario = busy()
    submit([(.init("a"), 1), (.init("b"), 2)], to: scenario)
    submit([(.init("c"), 8), (.init("d"), 9)], to: scenario)
    scenario.submit([.init("e")])
    expect("b", "a", "d", "c", "e", in: scenario)
  }

  @Test("what raises its dependencies passes it on whatever the ranks")
  func lending() {
    let scenario = busy()
    submit(
      [
        (.init("a"), 9), (.init("b"), 1),
        (Scenario.Plan(name: "c", after: ["b"], priority: .high, raises: true), 0),
      ],
      to: scenario
    )
    expect("b", "c", "a", in: scenario)
  }

  @Test("a barrier stays where it was added, whatever its rank")
  func barrier() {
    let scenario = busy()
    submit(
      [(.init("a"), 1), (.barrier("b"), 9), (.init("c"), 8), (.init("d"), 10)],
      to: scenario
    )
    expect("a", "b", "d", "c", in: scenario)
  }

  @Test("of those that claim one thing the highest rank begins first")
  func claims() {
    let scenario = busy()
    let resource = scenario.machine.dispatcher.addResource(capacity: 1)
    submit(
      [(.init("a", claims: [resource]), 1), (.init("b", claims: [resource]), 2), (.init("c"), 3)],
      to: scenario
    )
    expect("c", "b", "a", in: scenario)
  }

  /// So many that positions are given anew.
  @Test("the order outlives the closing of gaps")
  func renumbering() {
    let scenario = busy()
    var plans: [(Scenario.Plan, rank: Int64)] = []
    for index in 0..<2_000 { plans.append((.init("\(index)"), Int64(index * 37 % 2_000))) }
    submit(plans, to: scenario)
    let kept = plans.indices.filter { $0 % 100 == 0 }
    for index in plans.indices where !kept.contains(index) {
      scenario.machine.change(.cancel(scenario.id("\(index)")), at: .zero)
    }
    _ = scenario.context { _, _ in }
    for index in 0..<4_000 {
      let id = scenario.machine.create(OperationSpec(kind: scenario.kinds[0]))
      scenario.machine.enqueue([id], in: scenario.queue, at: .zero)
      scenario.machine.change(.cancel(id), at: .zero)
      if index % 1_000 == 0 { #expect(scenario.machine.brokenInvariants() == []) }
    }
    _ = scenario.context { _, _ in }
    var current = "x"
    for index in kept.sorted(by: { plans[$0].rank > plans[$1].rank }) {
      scenario.execute(current, then: "dispatch \(index) to 1 as attempt 1")
      current = "\(index)"
    }
  }
}

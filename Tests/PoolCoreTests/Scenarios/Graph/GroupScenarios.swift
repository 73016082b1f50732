import PoolModel
import Testing

@testable import PoolCore

/// A group's members wait until its dependencies have ended, and its dependents wait for them; the
/// group itself takes nothing.
@Suite("Groups in the core")
struct GroupScenarios {
  /// A scenario of a group `g` with the members `a` and `b`, none of them in a queue.
  private func grouped(
    _ spec: OperationSpec = .gatedGroup(),
    workers: UInt32 = 2
  ) -> Scenario {
    let scenario = Scenario(workers: Int(workers))
    scenario.staff(workers)
    scenario.name(scenario.machine.create(spec), "g")
    for name in ["a", "b"] {
      scenario.create(.init(name))
      join(name, in: scenario)
    }
    return scenario
  }

  private func join(
    _ name: String,
    _ group: String = "g",
    in scenario: Scenario,
    refusal: [String]? = nil,
    at place: SourceLocation = #_sourceLocation
  ) {
    scenario.addMember(name, to: group, refusal: refusal, at: place)
  }

  @Test("members wait for its dependencies, its dependents for its members")
  func order() {
    let scenario = grouped()
    scenario.create(.init("z"))
    scenario.link("g", after: "z", .finished)
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue("g", "a", "b")
    scenario.enqueue("z", expecting: ["dispatch z to 1 as attempt 1"])
    scenario.execute(
      "z",
      then: "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.execute("a")
    scenario.execute(
      "b",
      then: "settle g succeeded by answer in attempt 1",
      "dispatch d to 1 as attempt 1"
    )
  }

  @Test("it takes no slot: its members take those of its queue, one after the other")
  func width() {
    let scenario = grouped()
    scenario.widen(to: 1)
    scenario.enqueue("g", "a", "b", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.submit([.init("n")])
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute(
      "b",
      then: "settle g succeeded by answer in attempt 1",
      "dispatch n to 1 as attempt 1"
    )
  }

  @Test("members of two groups in a serial queue go by priority and order")
  func twoGroups() {
    let scenario = grouped()
    scenario.widen(to: 1)
    scenario.name(scenario.machine.create(.gatedGroup()), "h")
    scenario.create(.init("c", .high))
    join("c", "h", in: scenario)
    scenario.enqueue("g", "a", "b", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.enqueue("h", "c")
    scenario.execute("a", then: "dispatch c to 1 as attempt 1")
    scenario.execute(
      "c",
      then: "settle h succeeded by answer in attempt 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.execute("b", then: "settle g succeeded by answer in attempt 1")
  }

  @Test("a member may wait for what is behind its group, however narrow the queue is")
  func behind() {
    let scenario = grouped()
    scenario.widen(to: 1)
    scenario.create(.init("x"))
    scenario.link("a", after: "x", .finished)
    scenario.link("b", after: "a", .finished)
    scenario.enqueue("g", "a", "b")
    scenario.enqueue("x", expecting: ["dispatch x to 1 as attempt 1"])
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "settle g succeeded by answer in attempt 1")
  }

  @Test("each member claims what the group claims, once, and the group nothing")
  func claims() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    let resource = scenario.machine.dispatcher.addResource(capacity: 1)
    scenario.name(scenario.machine.create(.gatedGroup(claims: [resource])), "g")
    scenario.create(.init("a", claims: [resource]))
    scenario.create(.init("b"))
    for name in ["a", "b"] { join(name, in: scenario) }
    scenario.enqueue("g", "a", "b", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "settle g succeeded by answer in attempt 1")
    #expect(scenario.machine.dispatcher.resources[resource].inUse == 0)
  }

  @Test("two groups that claim what the members of the other need end both")
  func crossedClaims() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    let resources = (0..<2).map { _ in scenario.machine.dispatcher.addResource(capacity: 1) }
    for (place, names) in [("g", "a"), ("h", "b")].enumerated() {
      let spec = OperationSpec.gatedGroup(claims: [resources[place]])
      scenario.name(scenario.machine.create(spec), names.0)
      scenario.create(.init(names.1, claims: [resources[1 - place]]))
      join(names.1, names.0, in: scenario)
    }
    scenario.enqueue("g", "a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.enqueue("h", "b")
    scenario.execute(
      "a",
      then: "settle g succeeded by answer in attempt 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.execute("b", then: "settle h succeeded by answer in attempt 1")
  }

  @Test("its own width counts slots of its members and of groups in it, from any moment on")
  func ownWidth() {
    let scenario = grouped(workers: 4)
    scenario.name(scenario.machine.create(.gatedGroup()), "h")
    join("h", in: scenario)
    for name in ["c", "d"] {
      scenario.create(.init(name))
      join(name, "h", in: scenario)
    }
    let resource = scenario.machine.dispatcher.addResource(capacity: 0, countsSlots: true)
    scenario.machine.bound(scenario.id("g"), by: resource)
    scenario.enqueue("g", "a", "h", "c", "d", "b")
    scenario.setCapacity(
      2,
      of: resource,
      "dispatch a to 1 as attempt 1",
      "dispatch c to 2 as attempt 1"
    )
    scenario.create(.init("e"))
    join("e", in: scenario)
    scenario.enqueue("e")
    scenario.submit([.init("n")], "dispatch n to 3 as attempt 1")
    scenario.execute("a", then: "dispatch d to 1 as attempt 1")
    scenario.execute("d", then: "dispatch b to 1 as attempt 1")
    scenario.execute(
      "c",
      then: "settle h succeeded by answer in attempt 1",
      "dispatch e to 2 as attempt 1"
    )
    scenario.execute("b")
    scenario.execute("e", then: "settle g succeeded by answer in attempt 1")
  }

  @Test("a width that it is given while members wait holds for these")
  func lateWidth() {
    let scenario = grouped(workers: 1)
    scenario.submit([.init("x")], "dispatch x to 1 as attempt 1")
    scenario.enqueue("g", "a", "b")
    let resource = scenario.machine.dispatcher.addResource(capacity: 0, countsSlots: true)
    scenario.machine.bound(scenario.id("g"), by: resource)
    scenario.submit([.init("n")])
    scenario.execute("x", then: "dispatch n to 1 as attempt 1")
    scenario.execute("n")
    scenario.setCapacity(1, of: resource, "dispatch a to 1 as attempt 1")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "settle g succeeded by answer in attempt 1")
  }

  @Test("a width that it is given while a member executes holds for the member's next attempt")
  func widthOfRetry() {
    let scenario = Scenario(workers: 1)
    scenario.staff(1)
    scenario.name(scenario.machine.create(.gatedGroup()), "g")
    scenario.create(.init("a", retries: 1))
    join("a", in: scenario)
    scenario.enqueue("g", "a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.start("a", "a executes on 1 as attempt 1")
    let resource = scenario.machine.dispatcher.addResource(capacity: 0, countsSlots: true)
    scenario.machine.bound(scenario.id("g"), by: resource)
    scenario.answer("a", .failed, "retry a failed by answer in attempt 1 on 1")
    scenario.setCapacity(1, of: resource, "dispatch a to 1 as attempt 2")
    scenario.execute("a", attempt: 2, then: "settle g succeeded by answer in attempt 1")
    #expect(scenario.machine.dispatcher.resources[resource].inUse == 0)
  }

  @Test("groups in groups open and end however deep they are")
  func deep() {
    let scenario = Scenario(workers: 1)
    scenario.staff(1)
    scenario.create(.init("z"))
    let ids = (0..<20_000).map { _ in scenario.machine.create(.gatedGroup()) }
    _ = scenario.context { machine, now in
      for (outer, inner) in zip(ids, ids.dropFirst()) {
        #expect(machine.change(.addMember(inner, to: outer), at: now) == nil)
      }
      let dependency = GraphChange.addDependency(
        of: ids[0],
        on: scenario.id("z"),
        requiring: .succeeded
      )
      machine.change(dependency, at: now)
      machine.enqueue(ids, in: scenario.queue, at: now)
    }
    _ = scenario.context { machine, now in
      machine.change(.conclude(scenario.id("z"), as: .succeeded), at: now)
    }
    #expect(scenario.machine.graph.unsettledCount == 0)
  }

  @Test("a member that has left its group is as free as any other")
  func left() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    let resource = scenario.machine.dispatcher.addResource(capacity: 1)
    scenario.name(scenario.machine.create(.gatedGroup(claims: [resource])), "g")
    for name in ["a", "b"] {
      scenario.create(.init(name))
      join(name, in: scenario)
      scenario.leaveGroup(name)
    }
    scenario.enqueue(
      "a",
      "b",
      expecting: ["dispatch a to 1 as attempt 1", "dispatch b to 2 as attempt 1"]
    )
  }

  @Test("its time begins with its first member, and ends all of them")
  func timeout() {
    let scenario = grouped(.gatedGroup(timeout: .seconds(1)))
    scenario.create(.init("z"))
    scenario.link("b", after: "z", .finished)
    scenario.suspend()
    scenario.enqueue("g", "a", "b")
    let end = scenario.id("g").handle
    #expect(scenario.machine.graph.deadline(ofGroup: end) == nil)
    scenario.resume("dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.seconds(1), "signal 1 with 15", "settle b cancelled by request")
    scenario.answer(
      "a",
      .cancelled,
      "settle a cancelled by request in attempt 1 on 1",
      "settle g timedOut by timeout in attempt 1"
    )
  }

  @Test("cancelled while its timeout ends it, it is told of as cancelled, once, and has timed out")
  func cancelledAfterTimeout() {
    let scenario = grouped(.gatedGroup(timeout: .seconds(1)), workers: 1)
    scenario.observe("g")
    scenario.enqueue(
      "g",
      "a",
      expecting: ["note g ready", "note g opened", "dispatch a to 1 as attempt 1"]
    )
    scenario.leaveGroup("b")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.seconds(1), "signal 1 with 15")
    scenario.cancel("g", "note g cancelled")
    scenario.cancel("g")
    scenario.answer(
      "a",
      .cancelled,
      "settle a cancelled by request in attempt 1 on 1",
      "settle g timedOut by timeout in attempt 1"
    )
  }

  @Test("one in a group begins both, and its end leaves no timer that fires for another")
  func nestedTimeout() {
    let scenario = Scenario(workers: 1)
    scenario.staff(1)
    for name in ["g", "h"] {
      scenario.name(scenario.machine.create(.gatedGroup(timeout: .seconds(1))), name)
    }
    scenario.create(.init("a"))
    join("h", in: scenario)
    join("a", "h", in: scenario)
    scenario.enqueue("g", "h", "a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.execute(
      "a",
      then: "settle h succeeded by answer in attempt 1",
      "settle g succeeded by answer in attempt 1"
    )
    for name in ["g", "h", "a"] { scenario.release(name) }
    scenario.submit([.init("n")], "dispatch n to 1 as attempt 1")
    scenario.start("n", "n executes on 1 as attempt 1")
    scenario.pass(.seconds(2))
    scenario.answer("n", .succeeded, "settle n succeeded by answer in attempt 1 on 1")
  }

  @Test("it fails by a member that did not succeed, and names the first of the gravest")
  func failure() {
    let scenario = grouped()
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue(
      "g",
      "a",
      "b",
      expecting: ["dispatch a to 1 as attempt 1", "dispatch b to 2 as attempt 1"]
    )
    scenario.execute("a", .failed)
    scenario.execute(
      "b",
      then: "settle g failed by member of a in attempt 1",
      "settle d skipped by dependency of a"
    )
  }

  /// The other worker is busy with `x`; what is less urgent waits behind it first.
  @Test("a member that joins late is as urgent as what waits for the group")
  func lateMember() {
    let scenario = grouped()
    scenario.submit([Scenario.Plan(name: "d", after: ["g"], priority: .veryHigh, raises: true)])
    scenario.enqueue(
      "g",
      "a",
      "b",
      expecting: ["dispatch a to 1 as attempt 1", "dispatch b to 2 as attempt 1"]
    )
    scenario.submit([.init("n")])
    scenario.create(.init("m"))
    join("m", in: scenario)
    scenario.enqueue("m")
    scenario.execute("a", then: "dispatch m to 1 as attempt 1")
  }

  @Test("cancelled while it waits, it ends with its members, and its dependents with it")
  func cancelled() {
    let scenario = grouped()
    scenario.create(.init("z"))
    scenario.link("g", after: "z", .finished)
    scenario.submit([.init("d", after: ["g"], when: .cancelled)])
    scenario.enqueue("g", "a", "b")
    scenario.cancel(
      "g",
      "settle a cancelled by request",
      "settle b cancelled by request",
      "settle g cancelled by request",
      "dispatch d to 1 as attempt 1"
    )
  }

  @Test("cancelled while members execute, it ends when these have ended")
  func cancelledWhileOpen() {
    let scenario = grouped()
    scenario.create(.init("c"))
    join("c", in: scenario)
    scenario.enqueue(
      "g",
      "a",
      "b",
      "c",
      expecting: ["dispatch a to 1 as attempt 1", "dispatch b to 2 as attempt 1"]
    )
    for (name, worker) in [("a", 1), ("b", 2)] {
      scenario.start(name, "\(name) executes on \(worker) as attempt 1")
    }
    scenario.cancel("g", "signal 1 with 15", "signal 2 with 15", "settle c cancelled by request")
    scenario.create(.init("e"))
    join("e", in: scenario)
    scenario.enqueue("e", expecting: ["settle e cancelled by request"])
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.answer(
      "b",
      .cancelled,
      "settle b cancelled by request in attempt 1 on 2",
      "settle g cancelled by request in attempt 1"
    )
  }

  @Test("cancelled, it has succeeded if all members have, although they were asked to stop")
  func cancelledInVain() {
    let scenario = grouped()
    scenario.enqueue(
      "g",
      "a",
      "b",
      expecting: ["dispatch a to 1 as attempt 1", "dispatch b to 2 as attempt 1"]
    )
    for (name, worker) in [("a", 1), ("b", 2)] {
      scenario.start(name, "\(name) executes on \(worker) as attempt 1")
    }
    scenario.cancel("g", "signal 1 with 15", "signal 2 with 15")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.answer(
      "b",
      .succeeded,
      "settle b succeeded by answer in attempt 1 on 2",
      "settle g succeeded by answer in attempt 1"
    )
  }

  @Test("skipped, it ends when its members have been cancelled, however deep")
  func skipped() {
    let scenario = grouped()
    scenario.name(scenario.machine.create(.gatedGroup()), "h")
    join("h", in: scenario)
    scenario.create(.init("c"))
    join("c", "h", in: scenario)
    scenario.create(.init("z"))
    scenario.link("g", after: "z", .succeeded)
    scenario.submit([.init("d", after: ["a"])])
    scenario.enqueue("g", "a", "b", "h", "c")
    scenario.conclude(
      "z",
      as: .failed,
      "settle a cancelled by request",
      "settle b cancelled by request",
      "settle c cancelled by request",
      "settle d skipped by dependency of a",
      "settle h cancelled by request",
      "settle g skipped by dependency of z"
    )
  }

  @Test("cancelled before it is in a queue, it ends there, and so do its members")
  func cancelledOutside() {
    let scenario = grouped()
    scenario.cancel("g")
    scenario.create(.init("c"))
    join("c", in: scenario)
    scenario.enqueue(
      "g",
      "a",
      "b",
      "c",
      expecting: [
        "settle a cancelled by request", "settle b cancelled by request",
        "settle c cancelled by request", "settle g cancelled by request",
      ]
    )
  }

  @Test("a cycle through a dependent is refused, whichever edge comes last")
  func dependentCycle() {
    let scenario = grouped()
    scenario.create(.init("x"))
    scenario.link("x", after: "g", .finished)
    scenario.refuseLink("a", after: "x", because: ["a", "x", "g"])
    scenario.create(.init("c"))
    scenario.link("c", after: "x", .finished)
    join("c", in: scenario, refusal: ["g", "c", "x"])
    scenario.create(.init("y"))
    scenario.link("b", after: "y", .finished)
    scenario.refuseLink("y", after: "g", because: ["y", "g", "b"])
  }

  @Test("a cycle through a dependency is refused, whichever edge comes last")
  func dependencyCycle() {
    let scenario = grouped()
    scenario.create(.init("x"))
    scenario.link("x", after: "a", .finished)
    scenario.refuseLink("g", after: "x", because: ["g", "x", "a"])
    scenario.create(.init("y"))
    scenario.link("g", after: "y", .finished)
    scenario.refuseLink("y", after: "b", because: ["y", "b", "g"])
    scenario.create(.init("c"))
    scenario.link("y", after: "c", .finished)
    join("c", in: scenario, refusal: ["c", "g", "y"])
  }

  @Test("neither may a group wait for its member, nor a member for its group")
  func ownCycle() {
    let scenario = grouped()
    scenario.refuseLink("g", after: "a", because: ["g", "a"])
    scenario.refuseLink("a", after: "g", because: ["a", "g"])
    join("g", in: scenario, refusal: ["g"])
  }

  @Test("a cycle through two groups, one in the other, is refused")
  func nested() {
    let scenario = grouped()
    scenario.name(scenario.machine.create(.gatedGroup()), "h")
    join("h", in: scenario)
    scenario.create(.init("c"))
    join("c", "h", in: scenario)
    scenario.create(.init("x"))
    scenario.link("x", after: "g", .finished)
    scenario.refuseLink("c", after: "x", because: ["c", "x", "g", "h"])
    join("g", "h", in: scenario, refusal: ["g", "h"])
  }

  @Test("a cycle through a barrier is refused, before the group and behind it")
  func barrier() {
    let scenario = grouped()
    scenario.suspend()
    scenario.create(.barrier("w"))
    scenario.link("w", after: "a", .finished)
    scenario.enqueue("w")
    scenario.refuse("g", because: ["g", "w", "a"])
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.enqueue("g", in: other)
    scenario.create(.barrier("v"))
    scenario.link("b", after: "v", .finished)
    scenario.refuse("v", in: other, because: ["g", "b", "v"])
  }

  @Test("it takes its place among the barriers of its queue, and its members know their own alone")
  func barriers() {
    let scenario = Scenario(workers: 3)
    scenario.staff(3)
    scenario.name(scenario.machine.create(.gatedGroup()), "g")
    for plan in [Scenario.Plan("a"), .barrier("p"), .init("b")] {
      scenario.create(plan)
      join(plan.name, in: scenario)
    }
    for name in ["v", "w"] { scenario.create(.barrier(name)) }
    scenario.create(.init("n"))
    scenario.enqueue(
      "v",
      "g",
      "a",
      "p",
      "b",
      "w",
      "n",
      expecting: ["dispatch v to 1 as attempt 1"]
    )
    scenario.execute("v", then: "dispatch a to 1 as attempt 1")
    // Behind the queue's barrier, but the group is before it.
    scenario.create(.init("e"))
    join("e", in: scenario)
    scenario.enqueue("e")
    scenario.execute("a", then: "dispatch p to 1 as attempt 1")
    scenario.execute("p", then: "dispatch b to 1 as attempt 1", "dispatch e to 2 as attempt 1")
    scenario.execute("b")
    scenario.execute(
      "e",
      then: "settle g succeeded by answer in attempt 1",
      "dispatch w to 1 as attempt 1"
    )
    scenario.execute("w", then: "dispatch n to 1 as attempt 1")
  }

  @Test("a cycle through barriers among members is refused, and leaves nothing behind")
  func memberBarrier() {
    let scenario = grouped()
    scenario.create(.barrier("p"))
    scenario.create(.init("c"))
    for name in ["p", "c"] { join(name, in: scenario) }
    scenario.link("a", after: "c", .finished)
    let former = Self.slotCount(of: scenario)
    scenario.refuse("g", "a", "p", "c", "b", because: ["c", "p", "a"])
    #expect(Self.slotCount(of: scenario) == former)
    scenario.unlink("a", from: "c")
    scenario.enqueue("g", "a", "p", "c", "b", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.execute("a", then: "dispatch p to 1 as attempt 1")
    scenario.execute("p", then: "dispatch c to 1 as attempt 1", "dispatch b to 2 as attempt 1")
  }

  @Test("a member that is added while others execute waits for nothing, and is waited for")
  func late() {
    let scenario = grouped()
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue(
      "g",
      "a",
      "b",
      expecting: ["dispatch a to 1 as attempt 1", "dispatch b to 2 as attempt 1"]
    )
    scenario.execute("a")
    scenario.create(.init("c"))
    join("c", in: scenario)
    scenario.enqueue("c", expecting: ["dispatch c to 1 as attempt 1"])
    scenario.execute("b")
    scenario.execute(
      "c",
      then: "settle g succeeded by answer in attempt 1",
      "dispatch d to 1 as attempt 1"
    )
  }

  @Test("one without members ends at once, whatever its queue's width is")
  func empty() {
    let scenario = Scenario(workers: 1)
    scenario.staff(1)
    scenario.name(scenario.machine.create(.gatedGroup()), "g")
    scenario.widen(to: 0)
    scenario.enqueue("g", expecting: ["settle g succeeded by answer"])
  }

  @Test("a member that is taken out waits for it no longer, nor is it waited for")
  func removed() {
    let scenario = grouped()
    for name in ["a", "b"] { scenario.removeMember(name, from: "g") }
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.enqueue(
      "g",
      expecting: ["settle g succeeded by answer", "dispatch d to 2 as attempt 1"]
    )
    #expect(scenario.machine.graph.unsettledCount(of: scenario.queue) == 2)
  }

  @Test("users count a group in its queue, and not its members")
  func counted() {
    let scenario = grouped()
    scenario.suspend()
    scenario.enqueue("g", "a", "b")
    scenario.submit([.init("n")])
    #expect(scenario.machine.graph.unsettledCount(of: scenario.queue) == 2)
    let listed = scenario.machine.graph.operations(in: scenario.queue)
    #expect(listed == ["g", "n"].map { scenario.id($0) })
  }

  @Test("one that is let go without having been added leaves nothing behind")
  func released() {
    let scenario = grouped()
    let former = Self.slotCount(of: scenario)
    scenario.submit([.init("d", after: ["g"], when: .cancelled)])
    scenario.release("g", "dispatch d to 1 as attempt 1")
    scenario.execute("d")
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    #expect(scenario.machine.graph.unsettledCount(of: scenario.queue) == 1)
    scenario.execute("a")
    for name in ["a", "b", "d"] { scenario.release(name) }
    // The group, its end, and its two members.
    #expect(Self.slotCount(of: scenario) == former - 4)
  }

  /// How many slots are in use.
  private static func slotCount(of scenario: Scenario) -> Int {
    scenario.machine.graph.operations.handles.count {
      !scenario.machine.graph.operations[$0].state.isFree
    }
  }
}

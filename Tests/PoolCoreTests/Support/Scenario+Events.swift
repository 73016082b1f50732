import PoolModel
import Testing

@testable import PoolCore

// What users do. Each method is one turn; what follows from it is written beside it.

extension Scenario {
  typealias Place = SourceLocation

  /// Submits operations as one batch.
  func submit(
    _ plans: [Plan],
    in other: QueueID? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    for plan in plans { create(plan) }
    let cycle = expect(expected, place) { machine, now in
      for plan in plans {
        for member in plan.members {
          machine.change(.addMember(id(member), to: id(plan.name)), at: now)
        }
        for other in plan.after {
          machine.change(
            .addDependency(of: id(plan.name), on: id(other), requiring: plan.when),
            at: now
          )
        }
      }
      return machine.enqueue(plans.map { id($0.name) }, in: other ?? queue, at: now)
    }
    #expect(cycle == nil, sourceLocation: place)
  }

  /// Makes an operation a member of a group, or has that refused with this cycle.
  func addMember(
    _ member: String,
    to group: String,
    refusal: [String]? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let cycle = expect(expected, place) { machine, now in
      machine.change(.addMember(id(member), to: id(group)), at: now)
    }
    #expect(cycle?.map { name($0) } == refusal, sourceLocation: place)
  }

  /// Takes a member out of its group again.
  func removeMember(
    _ member: String,
    from group: String,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) {
      $0.change(.removeMember(id(member), from: id(group)), at: $1)
    }
  }

  /// Takes an operation out of whatever group it is in.
  func leaveGroup(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.change(.leaveGroup(id(name)), at: $1) }
  }

  /// Adds known operations as one batch.
  func enqueue(
    _ names: String...,
    in other: QueueID? = nil,
    expecting expected: [String] = [],
    at place: Place = #_sourceLocation
  ) {
    let cycle = expect(expected, place) {
      $0.enqueue(names.map(id), in: other ?? queue, at: $1)
    }
    #expect(cycle == nil, sourceLocation: place)
  }

  /// Adds known operations of which one closes a cycle; nothing comes of it.
  func refuse(
    _ names: String...,
    in other: QueueID? = nil,
    because cycle: [String],
    at place: Place = #_sourceLocation
  ) {
    let answer = expect([], place) { $0.enqueue(names.map(id), in: other ?? queue, at: $1) }
    #expect(answer?.map(name) == cycle, sourceLocation: place)
  }

  func link(
    _ name: String,
    after other: String,
    _ requirement: PoolRequirement,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let (cycle, wantsTurn) = expect(expected, place) { machine, now in
      let cycle = machine.change(
        .addDependency(of: id(name), on: id(other), requiring: requirement),
        at: now
      )
      return (cycle, machine.wantsTurn)
    }
    #expect(cycle == nil, sourceLocation: place)
    #expect(wantsTurn || expected.isEmpty, "effects without a wanted turn", sourceLocation: place)
  }

  /// Adds a dependency that closes a cycle; nothing comes of it.
  func refuseLink(
    _ name: String,
    after other: String,
    because cycle: [String],
    at place: Place = #_sourceLocation
  ) {
    let answer = expect([], place) {
      $0.change(.addDependency(of: id(name), on: id(other), requiring: .finished), at: $1)
    }
    #expect(answer?.map(self.name) == cycle, sourceLocation: place)
  }

  func unlink(
    _ name: String,
    from other: String,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { $0.change(.removeDependency(of: id(name), on: id(other)), at: $1) }
  }

  func addGate(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    let isInTime = machine.graph.acceptsDependencies(id(name))
    #expect(isInTime, sourceLocation: place)
    expect(expected, place) { $0.change(.addGate(id(name)), at: $1) }
  }

  func openGate(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.change(.openGate(id(name)), at: $1) }
  }

  func prioritise(
    _ name: String,
    _ priority: PoolQueuePriority,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { $0.change(.setPriority(priority, of: id(name)), at: $1) }
  }

  func conclude(
    _ name: String,
    as ending: PoolEnding,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { $0.change(.conclude(id(name), as: ending), at: $1) }
  }

  func release(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.release(id(name), at: $1) }
  }

  func prepared(
    _ name: String,
    _ result: Preparation<DetailID>,
    _ expected: String...,
    number: UInt64? = nil,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) {
      $0.change(.prepared(id(name), number ?? preparation(of: name), result), at: $1)
    }
  }

  func observe(_ name: String, at place: Place = #_sourceLocation) {
    expect([], place) { machine, _ in machine.graph.observe(id(name)) }
  }

  func cancel(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.change(.cancel(id(name)), at: $1) }
  }

  func killOperations(_ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.supervise(.killOperations, at: $1) }
  }

  func cancelAll(
    in other: QueueID? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { $0.cancelAll(in: other ?? queue, at: $1) }
  }

  func close(
    fleet other: FleetID? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { $0.supervise(.closeFleet(other ?? fleet), at: $1) }
  }

  func widen(
    to width: Int,
    in other: QueueID? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { machine, _ in machine.change(.width(width, of: other ?? queue)) }
  }

  func permit(
    _ count: Int,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { machine, _ in machine.change(.permits(count, of: queue)) }
  }

  func suspend(in other: QueueID? = nil, at place: Place = #_sourceLocation) {
    expect([], place) { machine, _ in machine.change(.suspended(true, other ?? queue)) }
  }

  func resume(
    in other: QueueID? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { machine, _ in machine.change(.suspended(false, other ?? queue)) }
  }

  func setCapacity(
    _ capacity: Int,
    of resource: ResourceID,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { machine, _ in machine.change(.capacity(capacity, of: resource)) }
  }
}

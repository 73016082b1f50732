import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// Contract: what would be skipped is known before it is, and asking changes nothing.
@Suite("What would be skipped")
struct SkipForecastTests {
  private struct Pool: ~Copyable {
    var machine = PoolMachine()
    let queue: QueueID
    let kind: KindID
    var ids: [OperationID] = []

    init() {
      kind = machine.dispatcher.addKind()
      let fleet = machine.addFleet()
      queue = machine.addQueue(to: fleet)
      _ = machine.addConfiguration(ConfigurationSpec(count: 1, kinds: [kind]), to: fleet)
    }

    mutating func add(after others: [(Int, PoolRequirement)], group: Int? = nil) {
      ids.append(machine.create(OperationSpec(kind: kind)))
      let id = ids[ids.count - 1]
      for (other, requirement) in others {
        machine.change(.addDependency(of: id, on: ids[other], requiring: requirement), at: .zero)
      }
      if let group { machine.change(.addMember(id, to: ids[group]), at: .zero) }
    }

    mutating func addGroup() { ids.append(machine.create(.group)) }

    mutating func enter() { machine.enqueue(ids, by: nil, in: queue, at: .zero) }

    func forecast(_ numbers: [Int]) -> [Int] {
      machine.graph.skips(afterCancelling: numbers.map { ids[$0] }).map(\.index)
    }

    /// Cancels operations; returns those that were skipped because of that.
    mutating func cancel(_ numbers: [Int]) -> Set<Int> {
      machine.context.effects.removeAll()
      machine.cancel(numbers.map { ids[$0] }, at: .zero)
      let skipped = machine.context.effects.compactMap { effect -> Int? in
        guard case .settle(let settlement) = effect, settlement.ending == .skipped else {
          return nil
        }
        return settlement.operation.index
      }
      return Set(skipped)
    }
  }

  @Test(
    "it is what is skipped then, whatever dependents require",
    arguments: RandomSeeds.first(200)
  )
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pool = Pool()
    for number in 0..<30 {
      let others = (0..<number).filter { _ in Int.random(in: 0..<8, using: &generator) == 0 }
      pool.add(
        after: others.map { ($0, PoolRequirement.allCases.randomElement(using: &generator)!) }
      )
    }
    pool.enter()
    let chosen = (0..<30).filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }
    let forecast = pool.forecast(chosen)
    #expect(forecast == pool.forecast(chosen), "asking changes nothing")
    #expect(Set(forecast).count == forecast.count)
    let skipped = pool.cancel(chosen)
    #expect(skipped == Set(forecast), "seed \(seed)")
    #expect(skipped.isDisjoint(with: chosen), "none is skipped because of another, seed \(seed)")
    #expect(pool.forecast(chosen) == [], "and then nothing more would be")
  }

  @Test(
    "with groups, too, whose other members succeed",
    arguments: RandomSeeds.first(200)
  )
  func randomGroups(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var pool = Pool()
    let groupCount = 5
    for _ in 0..<groupCount { pool.addGroup() }
    for number in groupCount..<30 {
      // A member depends on groups before its own only, so that there is no cycle.
      let group = min((number - groupCount) / 5, groupCount - 1)
      let others = (0..<number).filter { other in
        let isBefore = other >= groupCount || other < group
        return isBefore && Int.random(in: 0..<8, using: &generator) == 0
      }
      pool.add(
        after: others.map { ($0, PoolRequirement.allCases.randomElement(using: &generator)!) },
        group: Bool.random(using: &generator) ? group : nil
      )
    }
    pool.enter()
    let chosen = (groupCount..<30).filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }
    let forecast = Set(pool.forecast(chosen))
    let skipped = pool.cancel(chosen).filter { $0 >= groupCount }
    // Groups of which members are still to execute end later.
    #expect(skipped.isSubset(of: forecast), "seed \(seed): \(skipped.subtracting(forecast))")
    #expect(forecast.isDisjoint(with: chosen), "seed \(seed)")
    #expect(forecast.isDisjoint(with: 0..<groupCount), "a group is no operation, seed \(seed)")
  }

  @Test("a group ends as the gravest of its members, and passes that on")
  func groups() {
    var pool = Pool()
    pool.addGroup()
    pool.add(after: [], group: 0)
    pool.add(after: [], group: 0)
    pool.add(after: [(0, .succeeded)])
    pool.add(after: [(0, .finished)])
    pool.add(after: [(0, .cancelled)])
    pool.add(after: [(3, .succeeded), (4, .succeeded)])
    pool.enter()
    #expect(pool.forecast([1]) == [3, 6])
    #expect(pool.forecast([1, 2]) == [3, 6])
    #expect(pool.forecast([4]) == [6])
    #expect(pool.forecast([]) == [])
  }

  @Test("what is before a ready operation is known, in the order of dispatch")
  func ahead() {
    var pool = Pool()
    for _ in 0..<4 { pool.add(after: []) }
    pool.add(after: [(0, .succeeded)])
    pool.machine.change(.setPriority(.high, of: pool.ids[3]), at: .zero)
    #expect(pool.machine.ahead(of: pool.ids[0]) == nil, "it is in no queue")
    pool.enter()
    func ahead(_ number: Int) -> [Int]? {
      pool.machine.ahead(of: pool.ids[number]).map { $0.map(\.index) }
    }
    #expect(ahead(3) == [])
    #expect(ahead(0) == [3])
    #expect(ahead(2) == [3, 0, 1])
    #expect(ahead(4) == nil, "it is not ready")
    _ = pool.cancel([0])
    #expect(ahead(2) == [3, 1] && ahead(0) == nil)
  }

  @Test("a configuration that may have more workers starts them")
  func widening() {
    var pool = Pool()
    for _ in 0..<4 { pool.add(after: []) }
    pool.enter()
    func spawns(_ pool: inout Pool) -> Int {
      pool.machine.dispatch(at: .zero)
      defer { pool.machine.context.effects.removeAll() }
      return pool.machine.context.effects.count { if case .spawn = $0 { true } else { false } }
    }
    #expect(spawns(&pool) == 1)
    let fleet = pool.machine.dispatcher.fleet(of: pool.queue)
    let configuration = pool.machine.supervisor.configuration(at: 0, of: fleet)
    #expect(pool.machine.supervisor.configuration(at: 1, of: fleet) == nil)
    pool.machine.widen(configuration!, to: 3)
    #expect(spawns(&pool) == 2)
    pool.machine.widen(configuration!, to: 2)
    #expect(spawns(&pool) == 0, "and never has fewer")
    #expect(pool.machine.unstartedCount == 0)
  }
}

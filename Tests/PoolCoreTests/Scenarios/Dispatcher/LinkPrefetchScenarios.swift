import PoolModel
import Testing

@testable import PoolCore

/// What workers behind links hold hides the delay of the link, and delays nothing else.
@Suite("Credit over links")
struct LinkPrefetchScenarios {
  private static let delay = Int64.milliseconds(100)

  /// Near workers, and far ones with the numbers after theirs, which execute operations of this
  /// length.
  private func greeted(
    far: Int = 1,
    near: Int = 0,
    length: Int64,
    delay: Int64 = delay
  ) -> Scenario {
    var spec = ConfigurationSpec(count: far)
    spec.isFar = true
    spec.isEager = true
    var nearSpec = ConfigurationSpec(count: near)
    nearSpec.isEager = true
    let scenario = Scenario(configurations: near > 0 ? [spec, nearSpec] : [spec])
    scenario.expect(length)
    _ = scenario.context { machine, _ in machine.change(.suspended(true, scenario.queue)) }
    scenario.create(.init("first"))
    _ = scenario.context { $0.enqueue([scenario.id("first")], in: scenario.queue, at: $1) }
    for worker in 1...(far + near) {
      _ = scenario.context {
        $0.workerGreeted(id(worker), kinds: scenario.kinds, capabilities: .full, at: $1)
      }
    }
    measure(far: delay, scenario)
    return scenario
  }

  private func id(_ worker: Int) -> WorkerID { WorkerID(rawValue: UInt32(worker)) }

  /// Workers have answered a question; of near ones that changes nothing.
  private func measure(far delay: Int64, _ scenario: Scenario) {
    for worker in 1...3 {
      _ = scenario.context { $0.supervise(.measured(id(worker), roundTrip: delay), at: $1) }
    }
  }

  /// Submits so many operations, and lets the queue go on; returns what was dispatched, by worker.
  private func release(_ count: Int, _ scenario: Scenario) -> [WorkerID: Int] {
    let names = (0..<count).map { "\($0)" }
    for name in names { scenario.create(.init(name)) }
    let (_, effects) = scenario.context { machine, now in
      _ = machine.enqueue(names.map { scenario.id($0) }, in: scenario.queue, at: now)
      machine.change(.suspended(false, scenario.queue))
    }
    return counts(effects)
  }

  private func counts(_ effects: [String]) -> [WorkerID: Int] {
    var counts: [WorkerID: Int] = [:]
    for effect in effects where effect.hasPrefix("dispatch") {
      guard let number = Int(effect.split(separator: " ")[3]) else { continue }
      counts[id(number), default: 0] += 1
    }
    return counts
  }

  /// Reads a worker again and again, so that it is given all that it may hold.
  private func fill(_ worker: Int, _ scenario: Scenario) -> Int {
    var name = "first"
    var held = scenario.machine.dispatcher.assignments(of: handle(worker, scenario)).queue.count
    for turn in 0..<12 {
      let (_, effects) = scenario.context { machine, now in
        let reference = scenario.reference(name)
        _ = machine.workerReported(.executing(group: nil), reference, by: id(worker), at: now)
        let answer = WorkerReport.answered(.succeeded, .error, .none, elapsed: .milliseconds(1))
        _ = machine.workerReported(answer, reference, by: id(worker), at: now)
        machine.workerWasRead(id(worker), at: now)
      }
      held += (counts(effects)[id(worker)] ?? 0) - 1
      name = "\(turn)"
    }
    return held
  }

  private func handle(_ worker: Int, _ scenario: Scenario) -> WorkerHandle {
    scenario.machine.supervisor.worker(id(worker)) ?? WorkerHandle(0)
  }

  @Test("a worker holds the work of one and a quarter delays and 2 ms, in steps")
  func window() {
    let scenario = greeted(length: .milliseconds(1))
    #expect(release(5_000, scenario) == [id(1): 1 + 32])
    #expect(fill(1, scenario) == 1 + 127)
    #expect(scenario.machine.brokenInvariants() == [])
  }

  @Test("of eight answers two make a delay longer and seven shorter; a late one does not count")
  func changes() {
    var window = PrefetchWindow()
    #expect(window.work == .milliseconds(2) && window.count == PrefetchPolicy.countLimit)
    window.add(.milliseconds(100))
    #expect(window.delay == .milliseconds(100) && window.work == .milliseconds(127))
    for _ in 0..<7 { window.add(.milliseconds(100)) }
    window.add(.seconds(2))
    #expect(window.delay == .milliseconds(100))
    for _ in 0..<6 { window.add(.milliseconds(20)) }
    #expect(window.delay == .milliseconds(100))
    window.add(.milliseconds(20))
    #expect(window.delay == .milliseconds(20))
    for delay in [30, 40] { window.add(.milliseconds(delay)) }
    #expect(window.delay == .milliseconds(30))
    for _ in 0..<7 { window.add(-1) }
    #expect(window.delay == 0 && window.reserve == 0 && window.count == PrefetchPolicy.countLimit)
  }

  @Test("the number of held operations is no ceiling over a link, but has one")
  func count() {
    var window = PrefetchWindow()
    window.add(.milliseconds(100))
    #expect(window.count == 64_512 + 512 && window.allows(1_000, beyond: 0, count: 65_023))
    window.add(.seconds(3_000))
    for _ in 0..<PrefetchWindow.sampleCount { window.add(.seconds(3_000)) }
    #expect(window.count == PrefetchWindow.farthestCount)
    #expect(!window.allows(1, beyond: 0, count: PrefetchWindow.farthestCount))
  }

  @Test("one operation waits behind another if it is no longer than ten delays")
  func single() {
    #expect(release(5, greeted(length: .milliseconds(999))) == [id(1): 2])
    #expect(release(5, greeted(length: .milliseconds(1_000))) == [id(1): 1])
  }

  @Test("near workers are measured in vain, and so are those that have proved to be near")
  func near() {
    let scenario = greeted(far: 2, near: 1, length: .milliseconds(30))
    _ = scenario.context { $0.supervise(.proved(id(2)), at: $1) }
    measure(far: Self.delay, scenario)
    #expect(release(2, scenario) == [id(1): 1, id(2): 1, id(3): 1])
    for worker in 1...3 {
      #expect(
        scenario.machine.dispatcher.assignments(of: handle(worker, scenario)).window.delay == 0
      )
    }
  }

  @Test("a worker whose link is full is given no more ahead until there is room")
  func congestion() {
    let scenario = greeted(length: .milliseconds(1))
    _ = scenario.context { $0.supervise(.congested(id(1), true), at: $1) }
    #expect(release(100, scenario) == [id(1): 1])
    let (_, effects) = scenario.context { $0.supervise(.congested(id(1), false), at: $1) }
    #expect(counts(effects) == [id(1): 32])
  }

  @Test("where little is ready, far workers hold no more than their share of all workers")
  func share() {
    let scenario = greeted(far: 1, near: 3, length: .milliseconds(1))
    let given = release(20, scenario)
    let left = 21 - given.values.reduce(0, +)
    #expect(given[id(4)] == 1 + (left + 2) / 4 && left > 4, "not all of what is left: \(given)")
  }

  @Test("lengths are those that a worker tells, not those that its link adds")
  func lengths() {
    let scenario = greeted(length: .milliseconds(1))
    _ = release(1, scenario)
    let kindQueue = scenario.machine.dispatcher.kindQueue(
      of: scenario.kinds[0],
      in: scenario.queue
    )
    for (name, elapsed) in [("first", Int64.milliseconds(1)), ("0", nil)] {
      scenario.now = scenario.now.advanced(by: Self.delay)
      _ = scenario.context { machine, now in
        let reference = scenario.reference(name)
        _ = machine.workerReported(.executing(group: nil), reference, by: id(1), at: now)
        let answer = WorkerReport.answered(.succeeded, .error, .none, elapsed: elapsed)
        _ = machine.workerReported(answer, reference, by: id(1), at: now)
        machine.workerWasRead(id(1), at: now)
      }
      let known = scenario.machine.dispatcher.kindQueues[kindQueue].estimate.known ?? 0
      // Of one that is not told, the time between two answers counts.
      #expect(elapsed == nil ? known > .milliseconds(1) : known == .milliseconds(1))
    }
  }

  @Test("a worker that had nothing shows by its answers how late its link is")
  func lateness() {
    let window = PrefetchWindow()
    var rate = AnswerRate(since: .zero, isFirst: true)
    (rate.answers, rate.told) = (2, (.milliseconds(3), 2))
    let now = Instant.zero.advanced(by: .milliseconds(43))
    #expect(rate.lateness(at: now) == .milliseconds(40))
    #expect(rate.average(until: now, behind: window) == 1_500_000)
    rate.lastDispatched = now
    #expect(rate.lateness(at: now) == nil, "it may have had to wait for the latter")
    rate.lastDispatched = .zero
    rate.told.count = 1
    #expect(rate.lateness(at: now) == nil, "one was not told")
    #expect(rate.average(until: now, behind: window) == 21_500_000)
    (rate.told.count, rate.isFirst) = (2, false)
    #expect(rate.lateness(at: now) == nil, "it had something before")
  }

  @Test("what is not told counts from the end of the link's delay")
  func untold() {
    var window = PrefetchWindow()
    window.add(.milliseconds(40))
    var rate = AnswerRate(since: .zero, answers: 1, isFirst: true)
    let now = Instant.zero.advanced(by: .milliseconds(43))
    #expect(rate.average(until: now, behind: window) == .milliseconds(3))
    #expect(rate.average(until: .zero, behind: window) == 1)
    rate.isFirst = false
    #expect(rate.average(until: now, behind: window) == .milliseconds(43))
  }

  @Test("an urgent operation travels with the recall, and more follow it")
  func urgent() {
    let scenario = greeted(length: .milliseconds(1))
    _ = release(400, scenario)
    _ = scenario.context { machine, now in
      machine.workerReported(
        .executing(group: nil),
        scenario.reference("first"),
        by: id(1),
        at: now
      )
    }
    let held = scenario.machine.dispatcher.assignments(of: handle(1, scenario)).queue.count - 1
    scenario.now = scenario.now.advanced(by: .seconds(1))
    scenario.create(.init(name: "urgent", priority: .veryHigh))
    let (_, effects) = scenario.context {
      $0.enqueue([scenario.id("urgent")], in: scenario.queue, at: $1)
    }
    #expect(effects.prefix { $0.hasPrefix("recall") }.count == held && held > 8)
    #expect(effects.dropFirst(held).first == "dispatch urgent to 1 as attempt 1")
    for name in 0..<held {
      _ = scenario.context {
        $0.workerReported(.returned, scenario.reference("\(name)"), by: id(1), at: $1)
      }
    }
    let next = scenario.machine.dispatcher.assignments(of: handle(1, scenario)).queue.second
    #expect(next?.handle == scenario.id("urgent").handle)
    #expect(scenario.machine.brokenInvariants() == [])
  }

  @Test("behind a long execution, an urgent operation does not travel with the recall")
  func urgentBehindLong() {
    let scenario = greeted(length: .milliseconds(1))
    _ = release(400, scenario)
    let first = scenario.machine.dispatcher.first(of: handle(1, scenario))
    #expect(first?.expected == .milliseconds(1))
    scenario.now = scenario.now.advanced(by: .seconds(1))
    for _ in 0..<PrefetchWindow.sampleCount {
      _ = scenario.context { machine, now in
        machine.supervise(.measured(id(1), roundTrip: 999_999), at: now)
      }
    }
    scenario.create(.init(name: "urgent", priority: .veryHigh))
    let (_, effects) = scenario.context {
      $0.enqueue([scenario.id("urgent")], in: scenario.queue, at: $1)
    }
    #expect(effects.allSatisfy { $0.hasPrefix("recall") } && effects.count > 8)
  }

  /// What is asked back when a near worker joins, which finds nothing else to do.
  private func recalled(_ count: Int, of length: Int64) -> [String] {
    let scenario = greeted(length: length)
    #expect(release(count, scenario) == [id(1): count + 1])
    _ = scenario.context {
      let reference = scenario.reference("first")
      return $0.workerReported(.executing(group: nil), reference, by: id(1), at: $1)
    }
    var spec = ConfigurationSpec(count: 1)
    spec.isEager = true
    _ = scenario.context { machine, _ in machine.addConfiguration(spec, to: scenario.fleet) }
    let (_, effects) = scenario.context {
      $0.workerGreeted(id(2), kinds: scenario.kinds, capabilities: .full, at: $1)
    }
    #expect(scenario.machine.brokenInvariants() == [])
    return effects.filter { $0 != "announce 1" }
  }

  @Test("near workers that are idle have back what a far one would still hold when it hears of it")
  func idle() {
    #expect(recalled(1, of: .milliseconds(200)) == ["recall 0 from 1"])
    #expect(recalled(1, of: .milliseconds(199)) == [])
    #expect(recalled(6, of: .milliseconds(20)) == [], "most are executed until it hears of it")
  }

  @Test("what is executed until a recall arrives is not asked back")
  func keeping() {
    let scenario = greeted(length: .milliseconds(10))
    #expect(release(8, scenario) == [id(1): 9])
    var context = EventContext()
    scenario.machine.dispatcher
      .recall(from: handle(1, scenario), keeping: .milliseconds(30), &context)
    #expect(context.effects.count == 5)
  }
}

import PoolModel
import Testing

@testable import PoolReports

/// Contract: what holds back ready operations is told before what is not ready.
@Suite("Reasons of idle slots")
struct IdleSlotsTests {
  private func words(
    slots: Int = 8,
    taken: Int = 1,
    executing: Int = 1,
    delayed: Int = 0,
    waiting: Int = 0,
    isOpen: Bool = false,
    _ change: (inout SlotFacts) -> Void = { _ in }
  ) -> String? {
    var facts = SlotFacts(slots: slots, taken: taken)
    change(&facts)
    var progress = ProgressSnapshot(
      finished: 0,
      total: executing + delayed + waiting + facts.ready,
      executing: executing,
      failed: 0,
      elapsed: 0
    )
    progress.delayed = delayed
    progress.nextAttempt = delayed > 0 ? 5_000_000_000 : nil
    progress.isOpen = isOpen
    progress.oldest = ["joint-call", "b"].prefix(executing).map {
      ProgressSnapshot.Execution(label: $0, elapsed: 0)
    }
    return IdleSlots(facts, progress).words
  }

  @Test("no slot is idle")
  func none() {
    #expect(words(taken: 8) == nil && words(taken: 9) == nil)
    // Something is on its way to the idle workers.
    #expect(words(taken: 6) { ($0.ready, $0.idleWorkers) = (2, 2) } == nil)
  }

  @Test("everything waits for what executes")
  func dependencies() {
    #expect(words(waiting: 8) == "7 slots idle: everything left waits for joint-call")
    #expect(
      words(taken: 2, executing: 2, waiting: 1)
        == "6 slots idle: everything left waits for joint-call and b"
    )
    #expect(
      words(taken: 4, executing: 4, waiting: 1)
        == "4 slots idle: everything left waits for joint-call, b and 2 more"
    )
    #expect(words() == "7 slots idle: nothing is left to begin")
    #expect(words(isOpen: true) == "7 slots idle: the rest of the input is waited for")
  }

  @Test("a limit, and who holds it")
  func limit() {
    func words(_ name: ResourceName) -> String? {
      let lack = SlotFacts.Lack(name, units: 1, waiting: 2, holders: ["S04/fetch"])
      return self.words(waiting: 1) { ($0.ready, $0.lacks) = (2, [lack]) }
    }
    #expect(
      words(ResourceName(.limit, Array("net".utf8)))
        == "7 slots idle: limit net (1) is taken by S04/fetch (2), nothing else is ready (5)"
    )
    #expect(
      words(ResourceName(.exclusive, Array("d\n".utf8)))
        == #"7 slots idle: exclusive d\n is taken by S04/fetch (2), nothing else is ready (5)"#
    )
  }

  @Test(
    "in fewer columns, the first reasons that have room are told, and how many others there are"
  )
  func columns() {
    let parts = [
      IdleSlots.Part(reason: .held("load"), count: 2), IdleSlots.Part(reason: .room, count: 3),
      IdleSlots.Part(reason: .input, count: 1),
    ]
    let all =
      "load (2), what is ready needs more slots (3), the rest of the input is waited for (1)"
    #expect(IdleSlots.list(parts) == all)
    #expect(IdleSlots.list(parts, columns: all.count) == all)
    let two = "load (2), what is ready needs more slots (3) and 1 more reason"
    #expect(IdleSlots.list(parts, columns: all.count - 1) == two)
    #expect(IdleSlots.list(parts, columns: two.count) == two)
    #expect(IdleSlots.list(parts, columns: two.count - 1) == "load (2) and 2 more reasons")
    #expect(IdleSlots.list(parts, columns: 25) == "load … and 2 more reasons")
    #expect(IdleSlots.list(Array(parts.prefix(1)), columns: 4) == "load")
    #expect(IdleSlots.list(Array(parts.prefix(1)), columns: 3) == "lo…")
    #expect(IdleSlots.list([], columns: 9) == "")
  }

  @Test(
    "a pause, a limit of starts, workers that start, pend or are gone, room, and attempts to come"
  )
  func others() {
    #expect(
      words { ($0.ready, $0.pause) = (9, "outputs are not read") }
        == "7 slots idle: the run starts nothing: outputs are not read"
    )
    #expect(
      words { ($0.ready, $0.hold) = (9, "the load is 3.50") } == "7 slots idle: the load is 3.50"
    )
    #expect(words { $0.ready = 9 } == "7 slots idle: workers are starting")
    #expect(
      words { ($0.ready, $0.absence) = (9, .lost("ssh build2", nextIn: .seconds(5))) }
        == "7 slots idle: the workers of ssh build2 are gone, and are started again in 0:05"
    )
    #expect(
      words { ($0.ready, $0.absence) = (9, .pending("srun -n1")) }
        == "7 slots idle: the workers of srun -n1 are pending"
    )
    #expect(
      words(taken: 7) { ($0.ready, $0.wide) = (2, 2) }
        == "1 slot idle: what is ready needs more slots"
    )
    #expect(
      words(taken: 7, delayed: 1) == "1 slot idle: the next attempt begins in 0:05"
    )
  }
}

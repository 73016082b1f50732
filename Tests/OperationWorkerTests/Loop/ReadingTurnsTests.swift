import Testing

@testable import OperationWorker

/// Which thread reads: the main thread while operations are short, the I/O thread while one is
/// long.
@Suite("The worker's machine: turns at reading")
struct ReadingTurnsTests {
  private typealias Look = WorkerMachine.Look

  @Test("The main thread reads as long as it comes back between two looks of the I/O thread")
  func shortOperations() throws {
    var machine = try WorkerMachine.prefetching()
    for round in 0..<100 as Range<UInt64> {
      #expect(machine.next() == .read)
      try machine.prefetch([.numbered(round)])
      #expect(machine.isIOThreadResting == (round == 0))
      #expect(machine.next() == .execute(.numbered(round)))
      #expect(machine.isIOThreadLooking)
      #expect(machine.look() == .pause)
    }
  }

  @Test(
    "The I/O thread reads when the main thread has not between two looks, until that needs more"
  )
  func longOperation() throws {
    var machine = try WorkerMachine.prefetching(1)
    _ = machine.next()
    #expect(machine.look() == .pause)
    #expect(machine.look() == .read)
    #expect(!machine.isIOThreadLooking)
    #expect(machine.keepsReading() == true, "a request, while the operation goes on")
    #expect(machine.next() == .wait)
    #expect(machine.isMainWaiting)
    #expect(machine.keepsReading() == true, "a request that gives the main thread nothing to do")
    try machine.prefetch([.numbered(2)])
    #expect(machine.isMainWaiting, "it is woken when all that was read is dealt with")
    #expect(machine.keepsReading() == false)
    #expect(!machine.isMainWaiting)
    #expect(machine.look() == .pause, "the main thread is about to execute")
    #expect(machine.next() == .execute(.numbered(2)))
    #expect(machine.next() == .read)
  }

  @Test("A main thread that waits is woken to end as well")
  func drainWhileWaiting() throws {
    var machine = try WorkerMachine.prefetching(1)
    _ = machine.next()
    _ = (machine.look(), machine.look())
    #expect(machine.next() == .wait)
    machine.drain()
    #expect(machine.keepsReading() == false)
    #expect(machine.next() == .end(WorkerMachine.Ending()))
    #expect(machine.look() == nil)
  }

  @Test("The end of the input wakes a main thread that waits, and ends the I/O thread")
  func endWhileWaiting() throws {
    var machine = try WorkerMachine.prefetching(1)
    _ = machine.next()
    _ = (machine.look(), machine.look())
    #expect(machine.next() == .wait)
    #expect(machine.endInput() == nil)
    #expect(!machine.isMainWaiting)
    #expect(machine.keepsReading() == false)
    #expect(machine.next() == .end(WorkerMachine.Ending(isInputEnded: true)))
    #expect(machine.look() == nil)
  }

  @Test("A main thread that goes on with prefetched operations is not handed the reading")
  func prefetchedOperations() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    _ = machine.next()
    _ = (machine.look(), machine.look())
    #expect(machine.next() == .execute(.numbered(2)))
    #expect(machine.keepsReading() == true)
  }

  @Test("The I/O thread rests after some looks in a row at a main thread without an operation")
  func rest() throws {
    var machine = try WorkerMachine.prefetching(1)
    for number in [UInt64(2), 3] {
      _ = machine.next()
      #expect(machine.next() == .read)
      for _ in 1..<WorkerMachine.looksBeforeRest { #expect(machine.look() == .pause) }
      if number == 2 { try machine.prefetch([.numbered(number)]) }
    }
    #expect(machine.next() == .read, "a request that is no operation wakes no thread")
    #expect(!machine.isIOThreadResting)
    #expect(machine.look() == .rest)
    #expect(machine.isIOThreadResting)
    try machine.prefetch([.numbered(4)])
    #expect(machine.next() == .execute(.numbered(4)))
    #expect(!machine.isIOThreadResting)
  }

  @Test("A main thread that glances at what is there keeps the reading")
  func glances() throws {
    var machine = try WorkerMachine.prefetching(1)
    for number in 2..<100 as Range<UInt64> {
      _ = machine.next()
      #expect(machine.beginGlance() == true)
      #expect(!machine.isIOThreadLooking)
      for _ in 0..<2 * WorkerMachine.looksBeforeRest { #expect(machine.look() == .pause) }
      try machine.prefetch([.numbered(number)])
      machine.endGlance()
      #expect(machine.isIOThreadLooking)
      #expect(machine.look() == .pause)
    }
    #expect(machine.look() == .read)
  }

  @Test("The I/O thread hands back once the main thread has come to another operation")
  func handBack() throws {
    var machine = try WorkerMachine.prefetching(1, 2)
    _ = machine.next()
    _ = (machine.look(), machine.look())
    #expect(machine.keepsReading() == true)
    _ = machine.next()
    #expect(machine.beginGlance() == false)
    #expect(machine.keepsReading() == false)
    #expect(machine.isIOThreadLooking)
    #expect(machine.look() == .read, "the main thread has not read since")
    #expect(machine.keepsReading() == true)
  }

  @Test("No glance begins without an operation, or after the end")
  func noGlance() throws {
    var machine = try WorkerMachine.prefetching(1)
    #expect(machine.beginGlance() == false)
    _ = machine.next()
    _ = machine.endInput()
    #expect(machine.beginGlance() == false)
    machine.endGlance()
    #expect(machine.look() == nil)
  }

  #if os(Linux) || os(macOS)
  @Test("What the threads must not do in a state is refused")
  func refusals() async {
    await #expect(processExitsWith: .failure) {
      var machine = WorkerMachine()
      _ = machine.look()
    }
    await #expect(processExitsWith: .failure) {
      var machine = WorkerMachine()
      _ = machine.keepsReading()
    }
    await #expect(processExitsWith: .failure) {
      var machine = try WorkerMachine.prefetching(1)
      _ = machine.next()
      _ = (machine.look(), machine.look())
      _ = machine.look()
    }
    await #expect(processExitsWith: .failure) {
      var machine = try WorkerMachine.prefetching(1)
      _ = machine.next()
      _ = machine.keepsReading()
    }
    await #expect(processExitsWith: .failure) {
      var machine = try WorkerMachine.prefetching(1)
      _ = machine.next()
      _ = (machine.look(), machine.look(), machine.next())
      _ = machine.next()
    }
  }
  #endif
}

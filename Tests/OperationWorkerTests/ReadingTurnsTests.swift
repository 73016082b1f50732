import Testing

@testable import OperationWorker

/// Who reads: the executor while operations are short, the I/O thread while one is long.
@Suite("Turns at reading")
struct ReadingTurnsTests {
  /// Nobody else need be woken while the executor comes back soon.
  @Test("The executor reads as long as it comes back between two looks of the I/O thread")
  func shortOperations() {
    var turns = ReadingTurns()
    for round in 0..<100 {
      #expect(turns.beginReading() == true)
      #expect(turns.endReading(executes: true) == (round == 0))
      #expect(turns.attend() == .wait)
    }
  }

  /// An operation that is still there at the second look needs somebody who listens.
  @Test("The I/O thread reads when nobody has between two looks, until the executor needs more")
  func longOperation() {
    var turns = ReadingTurns()
    #expect(turns.beginReading() == true)
    #expect(turns.endReading(executes: true) == true)
    #expect(turns.attend() == .wait)
    #expect(turns.attend() == .read)
    // A request of any sort, while the operation goes on.
    #expect(turns.goesOnReading(isExecutorIdle: true) == true)
    #expect(turns.beginReading() == false)
    // One that gives the executor nothing to do.
    #expect(turns.goesOnReading(isExecutorIdle: true) == true)
    // And one that does.
    #expect(turns.goesOnReading(isExecutorIdle: false) == false)
    turns.endWaiting()
    #expect(turns.beginReading() == true)
  }

  /// Held operations keep the executor from waiting: the I/O thread goes on.
  @Test("An executor that does not wait is not handed the reading")
  func heldOperations() {
    var turns = ReadingTurns()
    #expect(turns.attend() == .read)
    #expect(turns.beginReading() == false)
    turns.endWaiting()
    #expect(turns.goesOnReading(isExecutorIdle: false) == true)
  }

  /// A worker with nothing to do must not use the processor.
  @Test("The I/O thread rests after some looks at an idle worker, and is called once")
  func rest() {
    var turns = ReadingTurns()
    for isFirst in [true, false] {
      #expect(turns.beginReading() == true)
      #expect(turns.endReading(executes: true) == isFirst)
    }
    #expect(turns.beginReading() == true)
    for _ in 1..<ReadingTurns.turnsBeforeRest { #expect(turns.attend() == .wait) }
    #expect(turns.attend() == .rest)
    #expect(turns.endReading(executes: false) == false)
    #expect(turns.beginReading() == true)
    #expect(turns.endReading(executes: true) == true)
  }

  /// Held commands keep the executor from waiting, and yet nobody else need be woken for what
  /// comes.
  @Test("An executor that glances at what is there keeps the reading")
  func glances() {
    var turns = ReadingTurns()
    for round in 0..<100 {
      #expect(turns.beginGlance() == true)
      #expect(turns.endReading(executes: true) == (round == 0))
      #expect(turns.attend() == .wait)
    }
  }

  @Test("The I/O thread hands back once the executor has come by")
  func handBack() {
    var turns = ReadingTurns()
    #expect(turns.attend() == .read)
    #expect(turns.goesOnReading(isExecutorIdle: false) == true)
    #expect(turns.beginGlance() == false)
    #expect(turns.goesOnReading(isExecutorIdle: false) == false)
    #expect(turns.beginGlance() == true)
    #expect(turns.endReading(executes: true) == true)
    // That glance was a reading.
    #expect(turns.attend() == .wait)
    #expect(turns.attend() == .read)
    #expect(turns.goesOnReading(isExecutorIdle: false) == true)
  }

  /// It would wait for the next look of the I/O thread else.
  @Test("An executor that has come by, and waits now, is handed the reading with something to do")
  func waitingAfterGlance() {
    var turns = ReadingTurns()
    #expect(turns.attend() == .read)
    #expect(turns.beginGlance() == false)
    #expect(turns.beginReading() == false)
    #expect(turns.goesOnReading(isExecutorIdle: true) == true)
    #expect(turns.goesOnReading(isExecutorIdle: false) == false)
  }

  /// It would sleep through the whole operation else, and nobody would hear that it is to stop.
  @Test("An I/O thread that goes to rest while the executor glances is called")
  func restDuringGlance() {
    var turns = ReadingTurns()
    #expect(turns.beginReading() == true)
    #expect(turns.endReading(executes: true) == true)
    #expect(turns.beginReading() == true)
    for _ in 1..<ReadingTurns.turnsBeforeRest { #expect(turns.attend() == .wait) }
    #expect(turns.endReading(executes: true) == false)
    #expect(turns.beginGlance() == true)
    #expect(turns.attend() == .rest)
    #expect(turns.endReading(executes: true) == true)
  }
}

import Foundation
import PoolCore
import PoolModel

/// Executes more operations on more workers than any one machine has, in virtual time.
///
/// Operations are made when there is room for them, and forgotten when they have settled, so that
/// memory follows from how many there are at once.
struct Scale {
  var operations: Int
  var workers: Int
  /// How many machines the workers are on, each with its own worker configuration; nil for this
  /// one.
  var machines: Int?
  /// Operations that are in the queue at once, at most.
  var window = 100_000
  /// Each waits for three of the row before, as the cells of a stencil do.
  var isStencil = false
  /// The mean execution in nanoseconds; they are spread evenly over half of it and half more.
  var duration = Int64.seconds(1)
  /// Answers in so many nanoseconds are heard in one turn.
  var quantum = Int64.milliseconds(10)
  /// Whether workers wait while the core is busy.
  var isCharged = false

  /// What a run came to.
  struct Figures {
    /// Nanoseconds of the core for an operation, from its creation until it is forgotten.
    var coreTime: Double
    /// The share of the workers' time in which they executed something.
    var utilisation: Double
    /// Operations settled in a second of virtual time.
    var rate: Double
    var answersPerTurn: Double
  }

  func run() -> Figures {
    var work: Int64 = 0
    var random = SplitMix(state: 1)
    let spread = duration
    var pool = VirtualPool(
      workers: workers,
      machines: machines,
      quantum: quantum,
      isCharged: isCharged
    ) { _ in
      let length = spread / 2 + Int64(random.next() % UInt64(spread))
      work += length
      return length
    }
    var source = Source(count: operations, width: isStencil ? 2 * workers : 0)
    var settled: [OperationID] = []
    source.fill(&pool, upTo: window)
    while pool.turn({ settled.append($0.operation) }) {
      pool.tell { machine, now in
        for id in settled { machine.release(id, at: now) }
      }
      settled.removeAll(keepingCapacity: true)
      if pool.machine.graph.unsettledCount < window / 2 { source.fill(&pool, upTo: window) }
    }
    precondition(pool.settledCount == operations, "every operation has been executed")
    let time = pool.now.seconds
    return Figures(
      coreTime: Double(pool.coreTime) / Double(operations),
      utilisation: Double(work) / 1e9 / (time * Double(workers)),
      rate: Double(operations) / time,
      answersPerTurn: Double(operations) / Double(pool.turnCount)
    )
  }

  /// Makes operations, one after the other.
  private struct Source {
    let count: Int
    /// The cells of a row; 0 where nothing waits for anything.
    let width: Int
    private var made = 0
    /// The operations of the two latest rows, the even one first.
    private var cells: [OperationID] = []

    init(count: Int, width: Int) {
      self.count = count
      self.width = width
    }

    mutating func fill(_ pool: inout VirtualPool, upTo window: Int) {
      let (kind, queue) = (pool.kind, pool.queue)
      pool.tell { machine, now in
        var ids: [OperationID] = []
        while made < count, machine.graph.unsettledCount + ids.count < window {
          let id = machine.create(OperationSpec(kind: kind))
          if width > 0 { link(id, in: &machine, at: now) }
          ids.append(id)
          made += 1
        }
        machine.enqueue(ids, in: queue, at: now)
      }
    }

    /// Lets an operation wait for its cell and both neighbours in the row before.
    private mutating func link(_ id: OperationID, in machine: inout PoolMachine, at now: Instant) {
      let (row, cell) = made.quotientAndRemainder(dividingBy: width)
      if row > 0 {
        for other in [cell == 0 ? width - 1 : cell - 1, cell, cell + 1 == width ? 0 : cell + 1] {
          let place = (row - 1) % 2 * width + other
          machine.change(.addDependency(of: id, on: cells[place], requiring: .finished), at: now)
        }
      }
      if row < 2 { cells.append(id) } else { cells[row % 2 * width + cell] = id }
    }
  }
}

/// Random numbers that are the same in every run.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

import OperationPool
import PoolJournal
import PoolSystem

/// The outputs of a run that are kept, in the journal or beside it, until they were printed.
struct RunOutputs: Sendable {
  /// A reader that must have an output before it counts as printed.
  enum Reader: UInt8, Sendable {
    case streams = 1
    case results = 2
  }

  private struct Waiting {
    var id: KeptOutputID
    /// The readers that do not have it yet, one bit each.
    var readers: UInt8
  }

  /// Outputs on their way to readers, by the number of their operation.
  private var waiting: [Int: Waiting] = [:]
  /// All outputs that were not printed, of this run and earlier ones.
  private var remaining: Set<KeptOutputID>
  private var lastNumber: UInt32 = 0
  /// Whether a file of results is among the readers.
  var hasResults = false

  init(unprinted: some Sequence<KeptOutputID>) {
    remaining = Set(unprinted)
  }

  /// Number of outputs that were not printed.
  var remainingCount: Int { remaining.count }

  /// Returns the number for the next kept output.
  mutating func nextNumber() -> UInt32 {
    lastNumber += 1
    return lastNumber
  }

  /// An output is kept, and on its way to all readers.
  mutating func expect(_ operation: Int, _ id: KeptOutputID) {
    let readers = hasResults ? [Reader.streams, .results] : [.streams]
    waiting[operation] = Waiting(id: id, readers: readers.reduce(0) { $0 | $1.rawValue })
    remaining.insert(id)
  }

  /// An output could not be kept.
  mutating func cancel(_ operation: Int) {
    if let output = waiting.removeValue(forKey: operation) { remaining.remove(output.id) }
  }

  /// A reader has the outputs of these operations; returns those that now count as printed.
  mutating func note(_ operations: [Int], by reader: Reader) -> [KeptOutputID] {
    operations.compactMap { operation in
      guard var output = waiting[operation] else { return nil }
      output.readers &= ~reader.rawValue
      waiting[operation] = output.readers == 0 ? nil : output
      guard output.readers == 0 else { return nil }
      remaining.remove(output.id)
      return output.id
    }
  }

  /// Drops an output whose operation was executed again.
  mutating func drop(_ id: KeptOutputID) -> Bool { remaining.remove(id) != nil }
}

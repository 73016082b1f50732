package import PoolJournal
import PoolSystem

/// The outputs and results of a run that are kept, in the journal or beside it, until all targets
/// have them.
package struct RunOutputs: Sendable {
  /// Outputs that a target has got.
  package struct Taken: Hashable {
    /// No target lacks these.
    var released: [KeptOutputID] = []
    /// Others lack these.
    var lacking: [KeptOutputID] = []
  }

  private struct Waiting {
    var id: KeptOutputID
    /// The roles whose targets do not have it yet.
    var readers: TargetRoles
  }

  /// Outputs on their way to targets, by the number of their operation.
  private var waiting: [Int: Waiting] = [:]
  /// All outputs that a target lacks, of this run and earlier ones.
  private var remaining: Set<KeptOutputID>
  private var lastNumber: UInt32 = 0

  init(unprinted: some Sequence<KeptOutputID>) {
    remaining = Set(unprinted)
  }

  /// Number of outputs that a target lacks.
  var remainingCount: Int { remaining.count }

  /// Returns the number for the next kept output.
  package mutating func nextNumber() -> UInt32 {
    lastNumber += 1
    return lastNumber
  }

  /// An output is kept, and on its way to targets with these roles.
  package mutating func expect(_ operation: Int, _ id: KeptOutputID, _ readers: TargetRoles) {
    waiting[operation] = Waiting(id: id, readers: readers)
    remaining.insert(id)
  }

  /// An output could not be kept.
  package mutating func cancel(_ operation: Int) {
    if let output = waiting.removeValue(forKey: operation) { remaining.remove(output.id) }
  }

  /// A target has the outputs of these operations.
  package mutating func note(_ operations: [Int], by role: TargetRoles) -> Taken {
    var taken = Taken()
    for operation in operations {
      guard var output = waiting[operation], output.readers.contains(role) else { continue }
      output.readers.subtract(role)
      if output.readers.isEmpty {
        waiting[operation] = nil
        remaining.remove(output.id)
        taken.released.append(output.id)
      } else {
        waiting[operation] = output
        taken.lacking.append(output.id)
      }
    }
    return taken
  }

  /// Drops an output whose operation was executed again.
  package mutating func drop(_ id: KeptOutputID) -> Bool { remaining.remove(id) != nil }
}

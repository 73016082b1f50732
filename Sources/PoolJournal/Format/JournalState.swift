/// What a journal's records come to: who the owner is, and which operations have which outcome.
package struct JournalState: Sendable {
  /// What a record was worth.
  package enum Verdict: Hashable, Sendable {
    case accepted
    /// It takes the place of an outcome that an earlier owner accepted.
    case replaced
    /// It comes from an owner whose time was over.
    case stale
    /// The same owner had accepted an outcome of this operation already.
    case duplicate
    /// It says nothing about operations.
    case none
  }

  /// The number of the last owner; 0 before the first.
  package private(set) var epoch: UInt64 = 0
  /// The outcome of each operation.
  package private(set) var settlements: [ContentDigest: JournalSettlement] = [:]

  /// Begins with no record.
  package init() {}

  /// Takes records in their order.
  package init(_ entries: some Sequence<JournalScan.Entry>) {
    for entry in entries { apply(entry.record) }
  }

  /// Takes the next record.
  @discardableResult
  package mutating func apply(_ record: JournalRecord) -> Verdict {
    switch record {
    case .opened(let opening):
      guard opening.epoch > epoch else { return .stale }
      epoch = opening.epoch
      return .none
    case .settled(let settlement): return accept(settlement)
    case .unknown: return .none
    }
  }

  /// Each owner accepts one outcome of an operation, the first; that of the last owner counts.
  private mutating func accept(_ settlement: JournalSettlement) -> Verdict {
    // An owner that never opened can only be one whose opening was in a damaged part.
    guard settlement.epoch >= epoch else { return .stale }
    epoch = settlement.epoch
    guard let earlier = settlements[settlement.key] else {
      settlements[settlement.key] = settlement
      return .accepted
    }
    guard earlier.epoch < settlement.epoch else { return .duplicate }
    settlements[settlement.key] = settlement
    return .replaced
  }
}

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

  /// The operations whose outputs have not been printed.
  package private(set) var unprinted: [KeptOutputID: ContentDigest] = [:]

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
    case .printed(let printing):
      note(printing)
      return .none
    case .synced, .unknown: return .none
    }
  }

  /// Each owner accepts one outcome of an operation, the first; that of the last owner counts.
  private mutating func accept(_ settlement: JournalSettlement) -> Verdict {
    // An owner that never opened can only be one whose opening was in a damaged part.
    guard settlement.epoch >= epoch else { return .stale }
    epoch = settlement.epoch
    guard let earlier = settlements[settlement.key] else {
      take(settlement)
      return .accepted
    }
    guard earlier.epoch < settlement.epoch else { return .duplicate }
    // What was executed again has printed, or will print, what it wrote then.
    if let id = earlier.keptID { unprinted[id] = nil }
    take(settlement)
    return .replaced
  }

  private mutating func take(_ settlement: JournalSettlement) {
    settlements[settlement.key] = settlement
    if let id = settlement.keptID { unprinted[id] = settlement.key }
  }

  private mutating func note(_ printing: JournalPrinting) {
    for range in printing.outputs {
      // However many numbers a record names, no more are looked at than there are outputs.
      guard range.count > unprinted.count else {
        for number in range { forget(KeptOutputID(epoch: printing.epoch, number: number)) }
        continue
      }
      for id in Array(unprinted.keys) where id.epoch == printing.epoch && range ~= id.number {
        forget(id)
      }
    }
  }

  /// Keeps an output no longer, which has been printed or cannot be.
  package mutating func forget(_ id: KeptOutputID) {
    guard let key = unprinted.removeValue(forKey: id) else { return }
    settlements[key]?.kept = nil
  }

  /// Keeps an outcome no longer, so that the operation is executed again.
  package mutating func discard(_ key: ContentDigest) {
    guard let settlement = settlements.removeValue(forKey: key) else { return }
    if let id = settlement.keptID { unprinted[id] = nil }
  }

  /// The outcomes whose outputs have not been printed, in the order of their acceptance.
  package var unprintedSettlements: [JournalSettlement] {
    unprinted.sorted { ($0.key.epoch, $0.key.number) < ($1.key.epoch, $1.key.number) }
      .compactMap { settlements[$0.value] }
  }
}

extension JournalSettlement {
  /// What its output is known by, where that is kept.
  package var keptID: KeptOutputID? {
    kept.map { KeptOutputID(epoch: epoch, number: $0.number) }
  }
}

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

  private var ledger = JournalLedger<JournalSettlement>()

  /// The number of the last owner; 0 before the first.
  package var epoch: UInt64 { ledger.epoch }
  /// The outcome of each operation.
  package var settlements: [ContentDigest: JournalSettlement] { ledger.outcomes }
  /// The operations whose outputs have not been printed.
  package var unprinted: [KeptOutputID: ContentDigest] { ledger.unprinted }

  /// Begins with no record.
  package init() {}

  /// Takes records in their order.
  package init(_ entries: some Sequence<JournalScan.Entry>) {
    for entry in entries { apply(entry.record) }
  }

  /// Takes the next record.
  @discardableResult
  package mutating func apply(_ record: JournalRecord) -> Verdict { ledger.apply(record) }

  /// Keeps an output no longer, which has been printed or cannot be.
  package mutating func forget(_ id: KeptOutputID) { ledger.forget(id) }

  /// Keeps an outcome no longer, so that the operation is executed again.
  package mutating func discard(_ key: ContentDigest) { ledger.discard(key) }

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

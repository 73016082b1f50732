/// The state after a journal's records: its owner, and the outcomes of operations.
package struct JournalState: Sendable {
  /// The effect of a record.
  package enum Verdict: Hashable, Sendable {
    case accepted
    /// It replaces an outcome that an earlier owner accepted.
    case replaced
    /// It comes from an owner that was succeeded by another.
    case stale
    /// The same owner has accepted an outcome of this operation already.
    case duplicate
    /// It is not about operations.
    case none
  }

  private var ledger = JournalLedger<JournalSettlement>()

  /// The number of the last owner; 0 before the first.
  package var epoch: UInt64 { ledger.epoch }
  /// The run of the journal; nil before the first owner, and if only earlier versions owned it.
  package var run: RunIdentifier? { ledger.run }
  /// The outcome of each operation.
  package var settlements: [ContentDigest: JournalSettlement] { ledger.outcomes }
  /// The operations whose outputs were not printed.
  package var unprinted: [KeptOutputID: ContentDigest] { ledger.unprinted }

  /// Starts without records.
  package init() {}

  /// Applies records in order.
  package init(_ entries: some Sequence<JournalScan.Entry>) {
    for entry in entries { apply(entry.record) }
  }

  /// Applies the next record.
  @discardableResult
  package mutating func apply(_ record: JournalRecord) -> Verdict { ledger.apply(record) }

  /// Drops an output, which was printed or cannot be.
  package mutating func forget(_ id: KeptOutputID) { ledger.forget(id) }

  /// Drops an outcome, so that the operation is executed again.
  package mutating func discard(_ key: ContentDigest) { ledger.discard(key) }

  /// The outcomes whose outputs were not printed, in the order of their acceptance.
  package var unprintedSettlements: [JournalSettlement] {
    unprinted.sorted { ($0.key.epoch, $0.key.number) < ($1.key.epoch, $1.key.number) }
      .compactMap { settlements[$0.value] }
  }
}

extension JournalSettlement {
  /// The identifier of its kept output, if any.
  package var keptID: KeptOutputID? {
    kept.map { KeptOutputID(epoch: epoch, number: $0.number) }
  }
}

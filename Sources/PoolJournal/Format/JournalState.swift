/// The state after a journal's records: its owner, and the outcomes of operations.
package typealias JournalState = JournalLedger<JournalSettlement>

extension JournalState {
  /// Applies records in order.
  package init(_ entries: some Sequence<JournalScan.Entry>) {
    for entry in entries { apply(entry.record) }
  }

  /// The outcomes whose outputs were not printed, in the order of their acceptance.
  package var unprintedSettlements: [JournalSettlement] {
    unprinted.sorted { ($0.key.epoch, $0.key.number) < ($1.key.epoch, $1.key.number) }
      .compactMap { outcomes[$0.value] }
  }
}

extension JournalSettlement {
  /// The identifier of its kept output, if any.
  package var keptID: KeptOutputID? {
    kept.map { KeptOutputID(epoch: epoch, number: $0.number) }
  }
}

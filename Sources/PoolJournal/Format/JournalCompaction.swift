/// What is left of a journal when all goes that a resume does not need.
package enum JournalCompaction {
  /// The outcomes that count, and the openings of the owners that accepted them and of the last.
  ///
  /// All stay as they were and in their order, so that whoever reads the result comes to the same
  /// state; only outputs that were printed are left out. Records of unknown types stay, too: a
  /// later version may need them. What was synced has no meaning in another file.
  ///
  /// The bytes are read twice, so that nothing is kept of a record but what decides whether it counts.
  package static func compacted(_ bytes: [UInt8]) throws(JournalError) -> [UInt8] {
    var ledger = JournalLedger<Trace>()
    var verdicts: [JournalState.Verdict] = []
    _ = try JournalScan(bytes) { verdicts.append(ledger.apply($0.record)) }
    let needs = Needs(ledger)
    var text = JournalText.withHeader
    text.reserve(bytes.count)
    var place = 0
    _ = try JournalScan(bytes) { entry in
      defer { place += 1 }
      guard needs.contain(entry.record, verdicts[place]) else { return }
      guard case .settled(var settlement) = entry.record, settlement.kept != nil,
        ledger.outcomes[settlement.key]?.keptNumber == nil
      else { return text.append(body: bytes[entry.body]) }
      settlement.kept = nil
      text.append(.settled(settlement))
    }
    return text.bytes
  }

  /// What decides which outcome counts.
  private struct Trace: JournalOutcome {
    let epoch: UInt64
    private(set) var keptNumber: UInt32?

    init(_ settlement: JournalSettlement) {
      (epoch, keptNumber) = (settlement.epoch, settlement.kept?.number)
    }

    mutating func dropKept() { keptNumber = nil }
  }

  /// All that can be read of a damaged journal; what was synced has no meaning in another file.
  package static func salvaged(_ bytes: [UInt8], _ scan: JournalScan) -> [UInt8] {
    var text = JournalText.withHeader
    for entry in scan.entries {
      if case .synced = entry.record { continue }
      text.append(body: bytes[entry.body])
    }
    return text.bytes
  }

  /// Which records are needed, when all have been seen.
  private struct Needs {
    let ledger: JournalLedger<Trace>
    let epochs: Set<UInt64>

    init(_ ledger: JournalLedger<Trace>) {
      self.ledger = ledger
      var epochs: Set<UInt64> = [ledger.epoch]
      for outcome in ledger.outcomes.values { epochs.insert(outcome.epoch) }
      self.epochs = epochs
    }

    func contain(_ record: JournalRecord, _ verdict: JournalState.Verdict) -> Bool {
      switch record {
      case .opened(let opening): return verdict != .stale && epochs.contains(opening.epoch)
      case .settled(let settlement):
        let isTaken = verdict == .accepted || verdict == .replaced
        return isTaken && ledger.outcomes[settlement.key]?.epoch == settlement.epoch
      case .printed, .synced: return false
      case .unknown: return true
      }
    }
  }
}

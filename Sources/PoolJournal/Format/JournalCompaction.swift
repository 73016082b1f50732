/// What is left of a journal when all goes that a resume does not need.
package enum JournalCompaction {
  /// The outcomes that count, and the openings of the owners that accepted them and of the last.
  ///
  /// All stay as they were and in their order, so that whoever reads the result comes to the same
  /// state; only outputs that were printed are left out. Records of unknown types stay, too: a
  /// later version may need them. What was synced has no meaning in another file.
  package static func compacted(_ bytes: [UInt8], _ scan: JournalScan) -> [UInt8] {
    let state = JournalState(scan.entries)
    var text = JournalText.withHeader
    for entry in keptEntries(scan.entries) {
      guard case .settled(var settlement) = entry.record, settlement.kept != nil,
        state.settlements[settlement.key]?.kept == nil
      else {
        text.append(body: bytes[entry.body])
        continue
      }
      settlement.kept = nil
      text.append(.settled(settlement))
    }
    return text.bytes
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

  private static func keptEntries(_ entries: [JournalScan.Entry]) -> [JournalScan.Entry] {
    var state = JournalState()
    let verdicts = entries.map { state.apply($0.record) }
    var neededEpochs: Set<UInt64> = [state.epoch]
    for settlement in state.settlements.values { neededEpochs.insert(settlement.epoch) }
    return zip(entries, verdicts).compactMap { entry, verdict in
      switch entry.record {
      case .opened(let opening):
        return verdict != .stale && neededEpochs.contains(opening.epoch) ? entry : nil
      case .settled(let settlement):
        let isTaken = verdict == .accepted || verdict == .replaced
        let isLast = state.settlements[settlement.key]?.epoch == settlement.epoch
        return isTaken && isLast ? entry : nil
      case .printed, .synced:
        return nil
      case .unknown:
        return entry
      }
    }
  }
}

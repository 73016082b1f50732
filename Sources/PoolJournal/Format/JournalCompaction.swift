/// Reduces a journal to the records that a resume needs.
package enum JournalCompaction {
  /// Keeps the outcomes that count, and the openings of their owners and of the last owner.
  ///
  /// All records stay unchanged and in order, so that a reader gets the same state; only printed
  /// outputs are removed. Records of unknown types stay, too: a later version may need them. Sync
  /// marks are removed, since they have no meaning in another file. Targets and what they have come
  /// last, each once.
  ///
  /// It reads the bytes twice, and keeps of each record only what decides whether it counts.
  package static func compacted(_ bytes: [UInt8]) throws(JournalError) -> [UInt8] {
    var state = JournalState()
    var acceptances: [JournalAcceptance] = []
    _ = try JournalScan(bytes) { acceptances.append(state.apply($0)) }
    let needs = Needs(state)
    var text = JournalBytes(header: JournalHeader.line(continuing: bytes))
    text.reserve(bytes.count)
    var place = 0
    _ = try JournalScan(bytes) { entry in
      defer { place += 1 }
      guard needs.contain(entry.record, acceptances[place]) else { return }
      guard case .settled(var end) = entry.record, end.kept != nil,
        state.outcomes[end.key]?.keptID == nil
      else { return text.append(body: bytes[entry.body]) }
      end.kept = nil
      text.append(.settled(end))
    }
    for record in state.targets.records(epoch: state.epoch) { text.append(record) }
    return text.bytes
  }

  /// All readable records of a damaged journal; sync marks have no meaning in another file.
  package static func salvaged(_ bytes: [UInt8]) throws(JournalError) -> [UInt8] {
    var text = JournalBytes(header: JournalHeader.line(continuing: bytes))
    _ = try JournalScan(bytes) { entry in
      if case .synced = entry.record { return }
      text.append(body: bytes[entry.body])
    }
    return text.bytes
  }

  /// Which records are needed; known after all were read.
  private struct Needs {
    let state: JournalState
    let epochs: Set<UInt64>

    init(_ state: JournalState) {
      self.state = state
      var epochs: Set<UInt64> = [state.epoch]
      for outcome in state.outcomes.values { epochs.insert(outcome.epoch) }
      for sending in state.sent.values { epochs.insert(sending.epoch) }
      self.epochs = epochs
    }

    func contain(_ record: JournalRecord, _ acceptance: JournalAcceptance) -> Bool {
      switch record {
      case .opened(let opening):
        // One that takes outcomes of other folders decides about owners before it.
        let isNeeded = epochs.contains(opening.epoch) || opening.takesOtherFolders
        return acceptance != .stale && isNeeded
      case .settled(let end):
        let isTaken = acceptance == .accepted || acceptance == .replaced
        return isTaken && state.outcomes[end.key]?.epoch == end.epoch
      case .sent(let sending):
        return acceptance != .stale && state.sent[sending.key] == sending
      case .voided, .returned, .printed, .synced, .target, .marked, .fact: return false
      case .unknown: return true
      }
    }
  }
}

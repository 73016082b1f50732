import PoolEvents
import PoolModel
package import PoolWire

/// The effect of a record.
package enum JournalAcceptance: Hashable, Sendable {
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

/// The state after a journal's records: its owner, and the outcome of each operation that counts.
package struct JournalState: Sendable {
  /// The number of the last owner; 0 before the first.
  package private(set) var epoch: UInt64 = 0
  /// The run of the journal; nil before the first owner, and if only earlier versions owned it.
  package private(set) var run: RunIdentifier?
  /// Whether an owner's opening is there; salvaging may have lost it.
  package private(set) var hasOpening = false
  /// The number of the version of its keys; nil if no owner has said it.
  package private(set) var keyVersion: Int?
  /// Where the owners have executed commands.
  private(set) var folders = JournalFolders()
  /// The outcome of each operation.
  package private(set) var outcomes: [ContentDigest: JournalOutcome] = [:]
  /// The operations that were sent to other machines, and have no outcome.
  package private(set) var sent: [ContentDigest: JournalSending] = [:]
  /// The operations whose outputs were not printed.
  package private(set) var unprinted: [KeptOutputID: ContentDigest] = [:]
  /// The targets of its runs, and which of these outputs they have.
  package private(set) var targets = JournalTargets()

  /// Starts without records.
  package init() {}

  /// Applies records in order.
  package init(_ entries: some Sequence<JournalScan.Entry>) {
    for entry in entries { apply(entry) }
  }

  /// Applies the next record.
  @discardableResult
  package mutating func apply(_ entry: JournalScan.Entry) -> JournalAcceptance {
    switch entry.record {
    case .opened(let opening):
      guard opening.epoch > epoch else { return .stale }
      epoch = opening.epoch
      hasOpening = true
      run = opening.run ?? run
      keyVersion = opening.keyVersion ?? keyVersion
      folders.note(opening)
      return .none
    case .settled(let end): return accept(end, at: entry.body)
    case .voided(let voiding): return take(voiding)
    case .sent(let sending):
      guard sending.epoch >= epoch else { return .stale }
      sent[sending.key] = sending
      return .none
    case .returned(let back):
      guard back.epoch >= epoch else { return .stale }
      sent[back.key] = nil
      return .none
    case .printed(let printing):
      note(printing)
      return .none
    case .target(let use):
      guard use.epoch >= epoch else { return .stale }
      targets.note(use)
      return .none
    case .marked(let mark):
      note(mark)
      return .none
    case .synced, .fact, .unknown: return .none
    }
  }

  /// Each owner accepts only the first outcome of an operation; that of the last owner counts.
  private mutating func accept(
    _ end: JournalEnd,
    at body: Range<Int>
  ) -> JournalAcceptance {
    // The opening of an owner without one was in a damaged part.
    guard end.epoch >= epoch else { return .stale }
    epoch = end.epoch
    // What was cancelled has ended elsewhere when the journal says so.
    if end.record.ending != .cancelled { sent[end.key] = nil }
    let outcome = JournalOutcome(end, at: body)
    guard let earlier = outcomes[end.key] else {
      take(outcome, of: end.key)
      return .accepted
    }
    guard earlier.epoch < end.epoch else { return .duplicate }
    // A repeated execution prints its own outputs.
    if let id = earlier.keptID { drop(id) }
    take(outcome, of: end.key)
    return .replaced
  }

  private mutating func take(_ voiding: JournalVoiding) -> JournalAcceptance {
    guard voiding.epoch >= epoch else { return .stale }
    epoch = voiding.epoch
    if let outcome = outcomes[voiding.key], outcome.epoch < epoch { discard(voiding.key) }
    return .none
  }

  private mutating func take(_ outcome: JournalOutcome, of key: ContentDigest) {
    outcomes[key] = outcome
    if let id = outcome.keptID { unprinted[id] = key }
  }

  private mutating func note(_ printing: JournalPrinting) {
    for id in kept(printing.outputs, of: printing.epoch) {
      if let key = drop(id) { outcomes[key]?.keptID = nil }
    }
  }

  private mutating func note(_ mark: JournalMark) {
    if let extent = mark.extent { targets.set(extent, of: mark.target) }
    for id in kept(mark.outputs, of: mark.epoch) { targets.take(id, by: mark.target) }
  }

  /// The outputs with these numbers that are still kept.
  private func kept(_ ranges: [ClosedRange<UInt32>], of epoch: UInt64) -> [KeptOutputID] {
    ranges.flatMap { range in
      // A record may name many numbers: looks at no more than there are outputs.
      guard range.count > unprinted.count else {
        return range.map { KeptOutputID(epoch: epoch, number: $0) }
          .filter { unprinted[$0] != nil }
      }
      return unprinted.keys.filter { $0.epoch == epoch && range ~= $0.number }
    }
  }

  /// Drops an output that no target lacks any more, or that does not count; returns its operation.
  @discardableResult
  private mutating func drop(_ id: KeptOutputID) -> ContentDigest? {
    targets.forget(id)
    return unprinted.removeValue(forKey: id)
  }

  /// Drops an outcome, so that the operation is executed again.
  package mutating func discard(_ key: ContentDigest) {
    guard let outcome = outcomes.removeValue(forKey: key) else { return }
    if let id = outcome.keptID { drop(id) }
  }
}

// MARK: - Whole outcomes

extension JournalState {
  /// The whole outcome of an operation, read from the bytes of the journal; nil if there is none.
  package func end(of key: ContentDigest, in bytes: [UInt8]) -> JournalEnd? {
    guard let outcome = outcomes[key] else { return nil }
    let record = bytes.withUnsafeBytes { bytes in
      try? JournalRecord(json: UnsafeRawBufferPointer(rebasing: bytes[outcome.body]))
    }
    guard case .settled(var end) = record else {
      preconditionFailure("these are not the bytes of which this is the state")
    }
    if outcome.keptID == nil { end.kept = nil }
    return end
  }

  /// The outcomes whose outputs were not printed, in the order of their acceptance.
  package func unprintedEnds(in bytes: [UInt8]) -> [JournalEnd] {
    unprinted.sorted { ($0.key.epoch, $0.key.number) < ($1.key.epoch, $1.key.number) }
      .compactMap { end(of: $0.value, in: bytes) }
  }
}

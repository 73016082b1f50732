/// The stored part of an outcome: all of it, or only what decides which outcomes count.
package protocol JournalOutcome: Sendable {
  init(_ settlement: JournalSettlement)
  /// The owner that accepted it.
  var epoch: UInt64 { get }
  /// The number of its kept output, if any.
  var keptNumber: UInt32? { get }
  mutating func dropKept()
}

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

/// The owner of a journal, and the outcome of each operation that counts.
package struct JournalLedger<Outcome: JournalOutcome>: Sendable {
  /// The number of the last owner; 0 before the first.
  package private(set) var epoch: UInt64 = 0
  /// The run of the journal; nil before the first owner, and if only earlier versions owned it.
  package private(set) var run: RunIdentifier?
  /// The number of the version of its keys; nil if no owner has said it.
  package private(set) var keyVersion: Int?
  /// The outcome of each operation.
  package private(set) var outcomes: [ContentDigest: Outcome] = [:]
  /// The operations whose outputs were not printed.
  package private(set) var unprinted: [KeptOutputID: ContentDigest] = [:]

  /// Starts without records.
  package init() {}

  /// Applies the next record.
  @discardableResult
  package mutating func apply(_ record: JournalRecord) -> JournalAcceptance {
    switch record {
    case .opened(let opening):
      guard opening.epoch > epoch else { return .stale }
      epoch = opening.epoch
      run = opening.run ?? run
      keyVersion = opening.keyVersion ?? keyVersion
      return .none
    case .settled(let settlement): return accept(settlement)
    case .printed(let printing):
      note(printing)
      return .none
    case .synced, .unknown: return .none
    }
  }

  /// Each owner accepts only the first outcome of an operation; that of the last owner counts.
  private mutating func accept(_ settlement: JournalSettlement) -> JournalAcceptance {
    // The opening of an owner without one was in a damaged part.
    guard settlement.epoch >= epoch else { return .stale }
    epoch = settlement.epoch
    guard let earlier = outcomes[settlement.key] else {
      take(settlement)
      return .accepted
    }
    guard earlier.epoch < settlement.epoch else { return .duplicate }
    // A repeated execution prints its own outputs.
    if let id = earlier.keptID { unprinted[id] = nil }
    take(settlement)
    return .replaced
  }

  private mutating func take(_ settlement: JournalSettlement) {
    outcomes[settlement.key] = Outcome(settlement)
    if let id = settlement.keptID { unprinted[id] = settlement.key }
  }

  private mutating func note(_ printing: JournalPrinting) {
    for range in printing.outputs {
      // A record may name many numbers: looks at no more than there are outputs.
      guard range.count > unprinted.count else {
        for number in range { forget(KeptOutputID(epoch: printing.epoch, number: number)) }
        continue
      }
      for id in Array(unprinted.keys) where id.epoch == printing.epoch && range ~= id.number {
        forget(id)
      }
    }
  }

  /// Drops an output that was printed.
  private mutating func forget(_ id: KeptOutputID) {
    guard let key = unprinted.removeValue(forKey: id) else { return }
    outcomes[key]?.dropKept()
  }

  /// Drops an outcome, so that the operation is executed again.
  package mutating func discard(_ key: ContentDigest) {
    guard let outcome = outcomes.removeValue(forKey: key) else { return }
    if let id = outcome.keptID { unprinted[id] = nil }
  }
}

extension JournalOutcome {
  /// The identifier of its kept output, if any.
  fileprivate var keptID: KeptOutputID? {
    keptNumber.map { KeptOutputID(epoch: epoch, number: $0) }
  }
}

extension JournalSettlement: JournalOutcome {
  package init(_ settlement: JournalSettlement) { self = settlement }

  package var keptNumber: UInt32? { kept?.number }

  package mutating func dropKept() { kept = nil }
}

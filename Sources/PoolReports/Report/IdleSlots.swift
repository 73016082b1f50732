import PoolAnalysis
import PoolModel
import PoolText

/// Slots of a run that no operation takes, and why: each has one reason.
package struct IdleSlots: Hashable, Sendable {
  /// A reason, and the number of slots that have it.
  package struct Part: Hashable, Sendable {
    package var reason: IdleReason
    package var count: Int
  }

  /// The reasons; their counts add up to the number of idle slots.
  package private(set) var parts: [Part]
  /// Number of ready operations.
  package let ready: Int

  /// Finds the reasons, of which those before others hold more back: what is ready is told of
  /// first, then what waits to be tried again, and then what is not ready.
  ///
  /// - Parameters:
  ///   - facts: How the slots are used.
  ///   - progress: How far the run is, at the same moment.
  package init(_ facts: SlotFacts, _ progress: ProgressSnapshot) {
    var division = IdleDivision<IdleReason>(max(facts.slots - facts.taken, 0))
    let lacking = facts.lacks.reduce(0) { $0 + $1.waiting }
    let free = max(facts.ready - lacking - facts.wide, 0)
    if let pause = facts.pause {
      division.give(.paused(pause), facts.ready)
    } else if let hold = facts.hold {
      division.give(.held(hold), free)
    } else {
      division.give(.handover, min(free, facts.idleWorkers))
      let unserved = free - facts.idleWorkers
      division.give(facts.absence ?? .starting, unserved)
    }
    for lack in facts.lacks {
      let reason = IdleReason.limit(lack.resource, units: lack.units, holders: lack.holders)
      division.give(reason, lack.waiting)
    }
    division.give(.room, facts.wide)
    division.give(.retry(progress.nextAttempt ?? 0), progress.delayed)
    if progress.waiting(ready: facts.ready) > 0 {
      let isAll = facts.ready == 0 && progress.delayed == 0
      let names = isAll ? progress.oldest.map(\.label) : []
      division.give(.dependencies(names, count: progress.executing), .max)
    }
    if progress.isOpen { division.give(.input, .max) }
    division.give(.ending, .max)
    parts = division.parts.map { Part(reason: $0.0, count: $0.1) }
    ready = facts.ready
  }

  /// Number of idle slots.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// The reasons of slots that do not just wait for what is on its way; those that hold back what
  /// is ready come first.
  package var lasting: [Part] { parts.filter { $0.reason != .handover } }

  /// The slots and the reasons in words; nil if none is idle for long.
  package var words: String? {
    guard !lasting.isEmpty else { return nil }
    let count = lasting.reduce(0) { $0 + $1.count }
    return "\(Plural.of(count, "slot")) idle: \(Self.list(lasting))"
  }

  /// Reasons in words, with their numbers of slots if there are several.
  static func list(_ parts: [Part]) -> String { list(parts, shown: parts.count) }

  /// The same in so many columns: the first reasons that have room, and the number of the others.
  ///
  /// Only the first one is cut if not even that has room.
  static func list(_ parts: [Part], columns: Int) -> String {
    for count in stride(from: parts.count, to: 1, by: -1) {
      let text = list(parts, shown: count)
      if DisplayWidth.of(text) <= columns { return text }
    }
    let rest = rest(of: parts, beyond: 1)
    let first = list(Array(parts.prefix(1)), shown: 1, isOneOfSeveral: parts.count > 1)
    return DisplayWidth.truncate(first, to: max(columns - DisplayWidth.of(rest), 0)) + rest
  }

  private static func list(
    _ parts: [Part],
    shown count: Int,
    isOneOfSeveral: Bool = false
  ) -> String {
    guard parts.count > 1 || isOneOfSeveral else { return parts.first?.reason.words ?? "" }
    return parts.prefix(count).map { "\($0.reason.words) (\($0.count))" }.joined(separator: ", ")
      + rest(of: parts, beyond: count)
  }

  /// The number of the reasons that are not shown.
  static func rest(of parts: [Part], beyond count: Int) -> String {
    let rest = parts.count - count
    return rest > 0 ? " and \(Plural.of(rest, "more reason"))" : ""
  }
}

extension ProgressSnapshot {
  /// Number of operations that are neither ready, nor executing, nor delayed, nor ended.
  package func waiting(ready: Int) -> Int {
    max(total - finished - executing - delayed - ready, 0)
  }
}

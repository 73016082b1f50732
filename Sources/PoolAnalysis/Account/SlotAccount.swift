import PoolEvents
package import PoolModel

/// Where the time of a run's slots went; its parts add up to the whole.
///
/// What an idle slot waited for is found from the states of all operations at that time. Idle slots
/// are told first of what was ready and on its way to a worker, then of what lacked units of a
/// resource or room, of what waited to be tried again, and of what waited for dependencies.
package struct SlotAccount: Sendable {
  /// A use of slots, and nanoseconds of all slots together.
  package struct Part: Hashable, Sendable {
    package let use: SlotUse
    package let time: Int64
  }

  /// The uses, the largest first.
  package let parts: [Part]
  /// Nanoseconds of all slots together.
  package let total: Int64
  /// Number of slots.
  package let width: Int
  /// The idle spans of all lanes, those of each lane in the order of time.
  package let idle: [IdleSpan]

  /// The share of the slots' time in which something was executed, from 0 to 1.
  package var busyShare: Double {
    let busy = parts.reduce(0) { $1.use.isIdle ? $0 : $0 + $1.time }
    return total > 0 ? Double(busy) / Double(total) : 0
  }

  /// Accounts for a run; time is linear in the steps of its operations, times the combinations of
  /// limits among them, but for sorting.
  package init(_ history: RunHistory, _ lanes: SlotLanes, ready: [Instant?]) {
    let steps = LifeSteps.all(of: history, lanes, ready: ready)
    var sweep = IdleSweep(history, lanes)
    for step in steps { sweep.take(step) }
    sweep.finish()
    let parts = sweep.times.filter { $0.value > 0 }.map { Part(use: $0.key, time: $0.value) }
    self.parts = parts.sorted { one, other in
      one.time == other.time ? one.use.order < other.use.order : one.time > other.time
    }
    total = parts.reduce(0) { $0 + $1.time }
    width = sweep.width
    idle = sweep.spans
  }

  /// The number of a run's slots: what the run says, or else that of its lanes.
  static func width(_ history: RunHistory, _ lanes: SlotLanes) -> Int {
    max(history.began?.width ?? lanes.count, 1)
  }
}

/// A span of time in which a lane executed nothing, and why.
package struct IdleSpan: Sendable {
  package let lane: Int
  package let start: Instant
  package internal(set) var end: Instant
  package let reason: SlotUse
}

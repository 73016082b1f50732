package import PoolModel

/// How the slots of a run are used at a moment, and what the rest of it waits for.
package struct SlotFacts: Hashable, Sendable {
  /// A resource of which ready operations lack units.
  package struct Lack: Hashable, Sendable {
    package var resource: ResourceName
    package var units: Int
    /// Number of ready operations that wait for some.
    package var waiting: Int
    /// What holds them.
    package var holders: [String]

    package init(_ resource: ResourceName, units: Int, waiting: Int, holders: [String]) {
      (self.resource, self.units, self.waiting, self.holders) = (resource, units, waiting, holders)
    }
  }

  /// Number of slots.
  package var slots: Int
  /// Number of slots that operations take, also those that are about to begin.
  package var taken: Int
  /// Number of slots that executing operations take.
  package var executing = 0
  /// Operations that wait only for a slot, units or a worker, or are about to begin.
  package var ready = 0
  /// Ready operations that need more slots than are free.
  package var wide = 0
  /// The resources of which ready operations lack units.
  package var lacks: [Lack] = []
  /// Workers that could take an operation at once.
  package var idleWorkers = 0
  /// Why nothing is dispatched; nil if something may be.
  package var pause: String?
  /// Why no further operation starts; nil if one may.
  package var hold: String?
  /// Why workers are missing, if more is known than that they start.
  package var absence: IdleReason?

  package init(slots: Int, taken: Int) {
    (self.slots, self.taken) = (slots, taken)
  }
}

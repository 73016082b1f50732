package import PoolModel

/// One way to start workers, and how many to keep alive.
package struct RecipeSpec: Hashable, Sendable {
  /// How many workers may live at once.
  package var count: Int
  /// What they serve, where that is known before they greet.
  package var kinds: [KindID]?
  /// Used only for kinds that no other recipe serves.
  package var isReserve: Bool
  /// Nobody else serves its kinds.
  package var isExclusive: Bool

  package init(
    count: Int,
    kinds: [KindID]? = nil,
    isReserve: Bool = false,
    isExclusive: Bool = false
  ) {
    self.count = count
    self.kinds = kinds
    self.isReserve = isReserve
    self.isExclusive = isExclusive
  }
}

/// The workers of one recipe.
struct RecipeLife {
  let spec: RecipeSpec
  /// What its workers serve; nil until the first has greeted, unless known before.
  var kinds: [KindID]?
  /// Workers that were spawned and are not gone.
  var live = 0
  /// Of these, the ones that have not greeted.
  var starting = 0
  /// Slots of workers that have nothing to do.
  var idle = PositionSet()
  /// Slots of workers that execute something and may have room behind it.
  var listed: [Int] = []
  var intensity: RestartIntensity
  /// Whether one of its workers has ever greeted.
  var hasGreeted = false
  /// Workers that died, or were silent for too long, before any had greeted.
  var failedStarts = 0
  /// No more workers are started.
  var isExhausted = false
  /// Whether that was told.
  var hasGivenUp = false

  init(_ spec: RecipeSpec, intensity: RestartIntensity) {
    self.spec = spec
    kinds = spec.kinds
    self.intensity = intensity
  }

  /// Whether nothing can be expected of it any more.
  var isBroken: Bool { isExhausted && live == 0 }

  /// Whether it serves the kind, or might: a recipe that never greeted might serve anything.
  func mayServe(_ kind: KindID) -> Bool {
    !isBroken && (kinds?.contains(kind) ?? true)
  }
}

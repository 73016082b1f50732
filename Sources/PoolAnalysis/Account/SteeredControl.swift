import PoolEvents
import PoolModel

/// The number of slots of a run, and whether it is paused, in the order of time.
struct SteeredControl {
  private(set) var width: Int
  private(set) var isPaused = false
  /// The greatest number of slots at any time.
  let greatestWidth: Int
  private let steerings: [HistoricSteering]
  private var nextPlace = 0

  /// Begins with so many slots.
  init(_ history: RunHistory, width: Int) {
    self.width = width
    steerings = history.steerings
    greatestWidth = steerings.reduce(width) { max($0, $1.steered.width ?? 0) }
  }

  /// When something changes next, if that is no later than the moment.
  func next(until time: Instant) -> Instant? {
    guard nextPlace < steerings.count, steerings[nextPlace].time <= time else { return nil }
    return steerings[nextPlace].time
  }

  mutating func takeNext() {
    let steered = steerings[nextPlace].steered
    nextPlace += 1
    width = steered.width ?? width
    switch steered.action {
    case .pause: isPaused = true
    case .unpause: isPaused = false
    case .cancel, .scale: break
    }
  }
}

extension RunSteered {
  /// The number of slots from then on; nil if that does not change.
  fileprivate var width: Int? {
    guard case .scale(let width, _) = action else { return nil }
    return width
  }
}

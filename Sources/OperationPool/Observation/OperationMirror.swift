import PoolModel

/// An operation's state as its observers have been told.
struct OperationMirror: Sendable {
  typealias Change = (key: ObservedKey, value: Bool)

  private(set) var state: PoolOperation.State
  private(set) var isCancelled: Bool
  let isAsynchronous: Bool
  /// The first effect that tells something which the mirror does not show from the beginning.
  let firstEffect: Int

  init(
    _ state: PoolOperation.State,
    isCancelled: Bool,
    isAsynchronous: Bool,
    firstEffect: Int
  ) {
    self.state = state
    self.isCancelled = isCancelled
    self.isAsynchronous = isAsynchronous
    self.firstEffect = firstEffect
  }

  /// The value of a property that is true or false.
  func flag(_ key: ObservedKey) -> Bool {
    switch key {
    case .isCancelled: isCancelled
    case .isAsynchronous: isAsynchronous
    default: state.key == key
    }
  }

  /// Follows a transition; returns which properties it changes, in order: what was is over before
  /// what will be begins.
  ///
  /// The end is followed whenever it was decided: it is not visible before it is told.
  mutating func follow(_ transition: PoolTransition, _ effect: Int) -> [Change] {
    guard effect >= firstEffect || transition.state == .finished else { return [] }
    let (old, wasCancelled) = (state, isCancelled)
    advance(transition, effect)
    if isCancelled != wasCancelled { return [(.isCancelled, true)] }
    guard state != old else { return [] }
    return [old.key.map { ($0, false) }, state.key.map { ($0, true) }].compactMap(\.self)
  }

  /// Follows a transition where nothing observes the properties.
  mutating func advance(_ transition: PoolTransition, _ effect: Int) {
    guard effect >= firstEffect || transition.state == .finished else { return }
    if case .cancelled = transition { isCancelled = true }
    if let next = transition.state, state != .finished { state = next }
  }
}

extension PoolOperation.State {
  /// The property that is true in this state, and in no other.
  fileprivate var key: ObservedKey? {
    switch self {
    case .pending: nil
    case .ready: .isReady
    case .executing: .isExecuting
    case .finished: .isFinished
    }
  }
}

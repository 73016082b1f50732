import PoolModel

/// An operation's state, as its observers know it.
struct NotifiedState: Sendable {
  typealias Change = (key: ObservedKey, value: Bool)

  private(set) var state: PoolOperation.State
  private(set) var isCancelled: Bool
  let isAsynchronous: Bool
  /// The first effect that reports something that the observers did not see from the beginning.
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

  /// The value of a Boolean property.
  func flag(_ key: ObservedKey) -> Bool {
    switch key {
    case .isCancelled: isCancelled
    case .isAsynchronous: isAsynchronous
    default: state.key == key
    }
  }

  /// Applies a transition; returns the properties that change, in order: properties that become
  /// false come before those that become true.
  ///
  /// The end is always applied, whenever it was decided: it is not visible before it is reported.
  mutating func follow(_ transition: PoolTransition, _ effect: Int) -> [Change] {
    guard effect >= firstEffect || transition.state == .finished else { return [] }
    let (old, wasCancelled) = (state, isCancelled)
    advance(transition, effect)
    if isCancelled != wasCancelled { return [(.isCancelled, true)] }
    guard state != old else { return [] }
    return [old.key.map { ($0, false) }, state.key.map { ($0, true) }].compactMap(\.self)
  }

  /// Applies a transition if no property is observed.
  mutating func advance(_ transition: PoolTransition, _ effect: Int) {
    guard effect >= firstEffect || transition.state == .finished else { return }
    if case .cancelled = transition { isCancelled = true }
    if let next = transition.state, state != .finished { state = next }
  }
}

extension PoolOperation.State {
  /// The property that is true only in this state.
  fileprivate var key: ObservedKey? {
    switch self {
    case .pending: nil
    case .ready: .isReady
    case .executing: .isExecuting
    case .finished: .isFinished
    }
  }
}

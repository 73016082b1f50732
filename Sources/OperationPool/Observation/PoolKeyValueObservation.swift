import Synchronization

/// Options of an observer; the counterpart of Foundation's `NSKeyValueObservingOptions`.
public struct PoolKeyValueObservingOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The value after the change.
  public static let new = Self(rawValue: 1)
  /// The value before the change.
  public static let old = Self(rawValue: 2)
  /// A first call, with the value at the beginning of the observation.
  public static let initial = Self(rawValue: 4)
  /// One more call before each change, without the new value.
  public static let prior = Self(rawValue: 8)
}

/// A reported change; the counterpart of Foundation's `NSKeyValueObservedChange`.
///
/// Lists are always reported as a whole, so there is neither a kind of change nor indexes.
public struct PoolKeyValueObservedChange<Value> {
  /// The value before the change, if the options have ``PoolKeyValueObservingOptions/old``.
  public let oldValue: Value?

  /// The value after the change, if the options have ``PoolKeyValueObservingOptions/new``.
  public let newValue: Value?

  /// Whether the call precedes the change; see ``PoolKeyValueObservingOptions/prior``.
  public let isPrior: Bool
}

extension PoolKeyValueObservedChange: Sendable where Value: Sendable {}

/// Keeps an observer active until it is invalidated or released; the counterpart of Foundation's
/// `NSKeyValueObservation`.
///
/// It does not keep the observed object alive.
public final class PoolKeyValueObservation: Sendable {
  private let life: ObserverLife
  private let remove: @Sendable (ObserverLife) -> Void

  init(_ life: ObserverLife, _ remove: @escaping @Sendable (ObserverLife) -> Void) {
    self.life = life
    self.remove = remove
  }

  deinit {
    invalidate()
  }

  /// Ends the observation: no call begins any longer; a call in progress goes on.
  ///
  /// A second call has no effect. An observer may end its own observation.
  public func invalidate() {
    if life.end() { remove(life) }
  }
}

/// Whether an observer is still active; identifies the observer.
final class ObserverLife: Sendable {
  private let hasEnded = Atomic(false)

  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  /// Ends it; false if it had ended before.
  func end() -> Bool {
    !hasEnded.exchange(true, ordering: .acquiringAndReleasing)
  }
}

import Synchronization

/// What an observer wants to be told; Foundation's `NSKeyValueObservingOptions`.
public struct PoolKeyValueObservingOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes options of their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The value after the change.
  public static let new = Self(rawValue: 1)
  /// The value before the change.
  public static let old = Self(rawValue: 2)
  /// A first call, with the value that there is when the observation begins.
  public static let initial = Self(rawValue: 4)
  /// One more call ahead of each, without the new value.
  public static let prior = Self(rawValue: 8)
}

/// What an observer is told; Foundation's `NSKeyValueObservedChange`.
///
/// Lists are always told as a whole, so that there is neither a kind of change nor are there
/// indexes.
public struct PoolKeyValueObservedChange<Value> {
  /// The value before the change, where the options have ``PoolKeyValueObservingOptions/old``.
  public let oldValue: Value?

  /// The value after the change, where the options have ``PoolKeyValueObservingOptions/new``.
  public let newValue: Value?

  /// Whether the call is the one ahead; see ``PoolKeyValueObservingOptions/prior``.
  public let isPrior: Bool
}

extension PoolKeyValueObservedChange: Sendable where Value: Sendable {}

/// Keeps an observer going, until it is invalidated or let go; Foundation's
/// `NSKeyValueObservation`.
///
/// It does not keep alive what is observed.
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

  /// Ends the observation: no call begins any more; one that has begun goes on.
  ///
  /// A second time has no effect. An observer may end its own observation.
  public func invalidate() {
    if life.end() { remove(life) }
  }
}

/// Whether an observer is still to be told; it stands for the observer.
final class ObserverLife: Sendable {
  private let hasEnded = Atomic(false)

  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  /// False where it has ended before.
  func end() -> Bool {
    !hasEnded.exchange(true, ordering: .acquiringAndReleasing)
  }
}

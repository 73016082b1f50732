package import PoolModel

/// A change that would have made a run shorter, as the core finds by executing it in virtual time.
package struct Advice: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// That many slots.
    case slots(Int)
    /// That many units of a resource.
    case limit(ResourceName, Int)
    /// The operations with the longest chains of dependents first.
    case criticalPath
    /// Operations of this group (UTF-8) take half the time.
    case halvedGroup([UInt8])
    /// The operation with this place in the history takes half the time.
    case halvedOperation(Int)
  }

  package let change: Change
  /// Nanoseconds that the run would have taken.
  package let elapsed: Int64
  /// Nanoseconds less than it took.
  package let saved: Int64
}

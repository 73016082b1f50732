/// A place in a ``Slab``.
///
/// Each slab has a handle type of its own, so that handles cannot be confused.
protocol SlabHandle: Hashable, Sendable {
  init(_ offset: Int)

  /// The number of elements before it.
  var offset: Int { get }
}

extension Int: SlabHandle {
  var offset: Int { self }
}

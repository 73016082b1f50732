/// A place in a ``Slab``, of a type of its own, so that places in different slabs cannot be
/// confused.
protocol SlabHandle: Hashable, Sendable {
  init(_ offset: Int)

  /// How many elements come before it.
  var offset: Int { get }
}

extension Int: SlabHandle {
  var offset: Int { self }
}

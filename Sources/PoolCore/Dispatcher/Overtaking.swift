import PoolModel

/// How often operations that lack something were overtaken, and the one for which what becomes free
/// is reserved.
struct Overtaking {
  /// After this many operations of its priority or lower have taken what it needs, an operation
  /// reserves what becomes free.
  var patience = 16
  /// How many of the first contenders a dispatch looks at.
  static let counted = 16

  /// How often each operation was overtaken that ever was and still contends.
  var counts: [OperationHandle: Int] = [:]
  /// Those that were overtaken too often.
  var starving: [OperationHandle] = []
  /// The first of these, in the order of dispatch.
  var reserver: OperationHandle?
}

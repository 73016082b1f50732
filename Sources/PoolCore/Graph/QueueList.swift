import PoolModel

/// The operations of one queue that have not settled, and the barrier that holds back further ones.
struct QueueList {
  /// The first and the last operation, in the order of submission.
  var first = OperationHandle.none
  var last = OperationHandle.none
  /// Number of operations.
  var count = 0
  /// Number of these that are members of groups, which users count as parts of their groups.
  var memberCount = 0
  var barriers = BarrierEnds()
  /// Whether all changes of all its operations are reported.
  var isObserved = false
  /// Whether some of its operations are ordered by rank.
  var isRanked = false
  /// Whether it accepts no more operations: then it is forgotten when it is empty.
  var isDropped = false
}

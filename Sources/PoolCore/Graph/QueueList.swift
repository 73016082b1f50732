import PoolModel

/// The operations of one queue that have not settled, and what holds back those that are added
/// next.
struct QueueList {
  /// The first and the last, in the order of submission.
  var first = OperationHandle.none
  var last = OperationHandle.none
  /// How many there are.
  var count = 0
  /// The hidden operation that waits for everything before the latest barrier.
  var barrierEntry: OperationID?
  /// The hidden operation that everything after the latest barrier waits for.
  var barrierExit: OperationID?
  /// Whether all changes of all its operations are told.
  var isObserved = false
  /// Whether some of its operations have positions by their ranks.
  var isRanked = false
  /// Whether no operation can be added to it any more: it is forgotten when it is empty.
  var isDropped = false
}

import PoolAnalysis
public import PoolModel

/// Where an operation stood at one moment: what it waited for, or what it had come to.
///
/// ```swift
/// print(queue.explain(operation))
/// ```
///
/// prints lines such as these:
///
/// ```
/// thumbnail 17: is ready, and waits for limit 'network' (1 unit), which these hold:
///   thumbnail 3, executing for 0:12
/// ```
public struct PoolExplanation: Sendable, CustomStringConvertible {
  /// What an operation waits for, or what it has come to.
  ///
  /// Where several reasons hold, it is the first of them in this order. Of other operations, at
  /// most ten are named. Later versions may have more cases.
  public enum Standing: Sendable {
    /// It is in no queue.
    case outside
    /// It has ended.
    case ended(PoolEnding)
    /// A worker executes it, for this time.
    case executing(WorkerID, Duration)
    /// A worker has it, and has not begun it.
    case handedOver(WorkerID)
    /// It is a group that has begun, and waits for these members, and for `more` others.
    case members([PoolOperation], more: Int)
    /// It is tried again in this time.
    case delayed(Duration)
    /// It waits for these dependencies, which have not ended, and for `more` others.
    case dependencies([PoolOperation], more: Int)
    /// It waits for so many gates to be opened.
    case gates(Int)
    /// It waits until its group begins.
    case group(PoolOperation)
    /// Its conditions are evaluated, or its input is made.
    case preparation
    /// It waits for a barrier, or is one (`isOwn`) and waits for what is before it, such as this.
    case barrier(PoolOperation, isOwn: Bool)
    /// It is ready, and waits for a limit or an exclusive category of so many units, which these
    /// operations hold.
    ///
    /// The name is that of the limit or category, or the label of a group with a width; nil for a
    /// limit without a name.
    case limit(String?, units: Int, holders: [PoolOperation])
    /// It is ready, and its queue starts nothing, for this reason.
    case paused(String)
    /// It is ready, and no worker that serves its kind has started.
    case worker
    /// It is ready, and waits for so many slots, or for its turn, while so many operations of its
    /// queue execute.
    case slots(Int, executing: Int)
  }

  /// What it waited for, or what it had come to.
  public let standing: Standing

  /// The same in words, as `opool explain` says it: a line, and one for each operation that it
  /// names.
  public let description: String

  init(_ standing: Standing, _ words: PoolAnalysis.Standing, of label: String) {
    self.standing = standing
    description = Explanation(Array(label.utf8), words).lines.joined(separator: "\n")
  }
}

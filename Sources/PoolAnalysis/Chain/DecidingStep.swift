package import PoolModel

/// One step of the chain that decided how long a run took: an attempt, and what it had waited for
/// last.
package struct DecidingStep: Sendable {
  /// What an attempt had waited for last before it began.
  package enum Reason: Hashable, Sendable {
    /// The beginning of the run.
    case beginning
    /// The end of this dependency, or of the last member of one that is a group.
    case dependency
    /// The end of everything before a barrier.
    case barrier
    /// Units of this resource.
    case limit(ResourceName)
    /// A free slot.
    case slot
    /// The end of a pause that another process had asked for.
    case pause
    /// More slots, which another process had asked for.
    case width
    /// The time between two starts.
    case delay
    /// The attempt before it, and the delay behind that.
    case retry
  }

  /// The place of the operation in the history, and of the attempt among its attempts.
  package let operation: Int
  package let attempt: Int
  package let started: Instant
  package let finished: Instant
  /// What it waited for last.
  ///
  /// The step before this one in the chain is what ended then. Nothing ends with a pause, a change
  /// of width or a delay: there, that step is what ended before.
  package let reason: Reason
}

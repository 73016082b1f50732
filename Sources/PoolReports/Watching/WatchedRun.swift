package import PoolAnalysis

/// A run at a moment, as a live block shows it.
package struct WatchedRun: Sendable {
  /// An operation that executes.
  package struct Execution: Hashable, Sendable {
    package var number: Int
    /// Nanoseconds since it started.
    package var elapsed: Int64

    package init(_ number: Int, for elapsed: Int64) {
      (self.number, self.elapsed) = (number, elapsed)
    }
  }

  /// What is shown of an operation that executes; found for those only that are shown.
  package struct Details: Hashable, Sendable {
    package var label: String
    /// Where it executes, such as `worker 3`; safe to print.
    package var place: String
    /// Nanoseconds that it takes, as far as others like it tell; nil if unknown.
    package var expected: Int64?
    /// The last line that it has written, if it is known.
    package var last: [UInt8]?
    /// How it is being ended, if it is.
    package var ending: Standing.Ending?

    package init(_ label: String, at place: String, expected: Int64?, last: [UInt8]? = nil) {
      (self.label, self.place) = (label, place)
      (self.expected, self.last) = (expected, last)
    }
  }

  /// How far a part of the run is: a group, or the slots of a worker configuration.
  package struct Share: Hashable, Sendable {
    package var name: String
    package var count: Int
    package var total: Int

    package init(_ name: String, _ count: Int, of total: Int) {
      (self.name, self.count, self.total) = (name, count, total)
    }
  }

  package var progress: ProgressSnapshot
  /// Number of operations that were skipped.
  package var skipped = 0
  package var slots: SlotFacts
  /// All that executes.
  package var executions: [Execution] = []
  /// The latest failures, the latest first.
  package var failures: [String] = []
  package var shares: [Share] = []

  package init(_ progress: ProgressSnapshot, _ slots: SlotFacts) {
    (self.progress, self.slots) = (progress, slots)
  }
}

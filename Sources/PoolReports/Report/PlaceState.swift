/// The workers of one place that a run has to do without, for now.
package struct PlaceState: Hashable, Sendable {
  /// What the place is called; safe to print.
  package var name: String
  /// Maximum number of workers.
  package var limit: Int
  /// Number of workers that have not greeted.
  package var starting: Int
  /// Whether these may take as long as they need: their launchers live, and wait for a machine.
  package var isPending: Bool
  /// Nanoseconds until one is started again; nil unless all are gone.
  package var restartsIn: Int64?

  package init(
    _ name: String,
    limit: Int = 1,
    starting: Int,
    isPending: Bool = false,
    restartsIn: Int64? = nil
  ) {
    (self.name, self.limit, self.starting) = (name, limit, starting)
    (self.isPending, self.restartsIn) = (isPending, restartsIn)
  }

  /// Why slots are idle for which there would be work; nil if not because of this place.
  package var idleReason: IdleReason? {
    if let restartsIn { return .lost(name, nextIn: restartsIn) }
    return isPending && starting > 0 ? .pending(name) : nil
  }
}

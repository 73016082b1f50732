/// What a report turned out to be.
package enum Reception: Hashable, Sendable {
  /// It was expected.
  case accepted
  /// It is about a dispatch that has ended: ignored.
  case stale
  /// No worker that keeps to the protocol sends it now.
  case violation(String)
}

/// Counts as messages show them.
package enum Plural {
  /// The count and its noun: `1 run`, `2 runs`.
  package static func of(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

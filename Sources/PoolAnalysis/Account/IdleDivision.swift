/// Divides idle slots among reasons.
package struct IdleDivision<Reason> {
  private var rest: Int
  /// The reasons, each with its number of slots, in the order in which they were given.
  package private(set) var parts: [(Reason, Int)] = []

  /// Begins with that many idle slots, without a reason.
  package init(_ idle: Int) { rest = idle }

  /// Gives a reason up to that many of the slots that are left.
  package mutating func give(_ reason: Reason, _ count: Int) {
    let part = min(count, rest)
    guard part > 0 else { return }
    rest -= part
    parts.append((reason, part))
  }
}

/// What becomes of a piece of an output that arrives while its operation executes.
package enum OutputUse: Sendable {
  /// It is kept until the operation has ended.
  case atEnd
  /// The client takes it now, and it is only counted.
  case now
  /// The client takes it now, and it is needed later, too.
  case nowAndAtEnd

  package var isTakenNow: Bool { self != .atEnd }
  package var isNeededLater: Bool { self != .now }
}

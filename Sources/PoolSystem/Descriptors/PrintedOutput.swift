import CPoolSystem

/// The text that this process prints to C's standard output, and so by `print`.
package enum PrintedOutput {
  /// From here on, printed text is written line by line, each when it is complete, so that a crash
  /// does not lose it.
  ///
  /// Call it before other threads print.
  package static func watch() { opool_watch_printing() }

  /// Whether text was printed since this was turned on, or since the last flush.
  ///
  /// Costs a few instructions. Text that is written to a descriptor is not noticed.
  package static var isThere: Bool { opool_has_printed() != 0 }

  /// Writes an unfinished line.
  package static func flush() { opool_flush_printed() }
}

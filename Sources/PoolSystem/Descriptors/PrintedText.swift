import CPoolSystem

/// What this process prints to the standard output of C, and so by `print`.
package enum PrintedText {
  /// From here on, printed text leaves by line: each line is written when it is whole, so that a
  /// crash does not lose it.
  ///
  /// Call it before other threads print.
  package static func watch() { opool_watch_printing() }

  /// Whether anything was printed since the text was watched or last flushed.
  ///
  /// Costs a few instructions. Text that was written to a descriptor is not noticed.
  package static var isThere: Bool { opool_has_printed() != 0 }

  /// Writes an unfinished line.
  package static func flush() { opool_flush_printed() }
}

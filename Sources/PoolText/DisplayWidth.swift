/// The width of a text on a terminal, in columns.
///
/// Combining marks take no column, wide scripts and pictures two, other characters one (Unicode
/// Standard Annex 11, by blocks). The text must have no control characters (``Printable``).
package enum DisplayWidth {
  /// The columns of the text.
  package static func of(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Truncates the text to `width` columns; a truncated text ends with an ellipsis.
  package static func truncate(_ text: String, to width: Int) -> String {
    if of(text) <= width { return text }
    guard width > 0 else { return "" }
    var kept = ""
    var used = 1
    for scalar in text.unicodeScalars {
      used += columns(of: scalar)
      if used > width { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "…"
  }

  /// Truncates the text to `width` columns without its middle: names often differ at their ends.
  package static func truncateMiddle(_ text: String, to width: Int) -> String {
    if of(text) <= width { return text }
    guard width > 2 else { return truncate(text, to: width) }
    var end = ""
    var used = 0
    for scalar in text.unicodeScalars.reversed() {
      used += columns(of: scalar)
      if used > width / 2 { break }
      end.unicodeScalars.insert(scalar, at: end.unicodeScalars.startIndex)
    }
    return truncate(text, to: width - of(end)) + end
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      true
    default:
      false
    }
  }
}

/// The value of `--joblog`.
package struct JobLogRequest: Hashable, Sendable {
  /// The file; `-` is the standard output.
  package var path: [UInt8]
  /// Whether lines are added to an existing file, as `+FILE` says.
  package var isAppended: Bool

  /// Parses `FILE` or `+FILE`; nil without a name.
  init?(_ text: [UInt8]) {
    isAppended = text.first == UInt8(ascii: "+")
    path = isAppended ? Array(text.dropFirst()) : text
    if path.isEmpty { return nil }
  }
}

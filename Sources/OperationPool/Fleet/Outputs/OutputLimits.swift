/// Number of bytes of an output that an outcome may have.
package struct OutputLimit: Hashable, Sendable {
  let byteCount: Int
  /// Whether the operation fails if the output has more.
  let fails: Bool

  /// Says that an output has too many bytes; nil if it may have them.
  fileprivate func excess(of output: OutputContent, _ name: String) -> String? {
    guard fails, output.byteCount > Int64(byteCount) else { return nil }
    return "its \(name) has \(output.byteCount) bytes, and its limit is \(byteCount)"
  }
}

/// The limits of an operation's two outputs.
package struct OutputLimits: Hashable, Sendable {
  let output: OutputLimit
  let error: OutputLimit

  /// The reasons why the operation fails, with these outputs.
  func excesses(of output: OutputContent, _ error: OutputContent) -> [String] {
    [self.output.excess(of: output, "output"), self.error.excess(of: error, "error output")]
      .compactMap { $0 }
  }

  /// The limits of outputs that are read as lines: these may have any length.
  static let ofLines = OutputLimits(
    output: OutputLimit(byteCount: OutputContent.prefixLimit, fails: false),
    error: OutputLimit(byteCount: OutputContent.prefixLimit, fails: false)
  )

  /// The limits of outcomes of other operations than commands: these have no outputs, unless a
  /// foreign worker sends some.
  static let standard = OutputLimits(
    output: OutputLimit(byteCount: PoolCommandOutput.defaultLimit, fails: false),
    error: OutputLimit(byteCount: PoolCommandOutput.defaultLimit, fails: false)
  )
}

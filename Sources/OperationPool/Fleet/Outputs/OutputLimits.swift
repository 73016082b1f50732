import PoolModel

extension OutputLimits {
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

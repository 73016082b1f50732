import PoolContents
import PoolModel

extension OutputLimits {
  /// The limit of an output without a limit of its own: 16 MiB.
  static let defaultByteCount = 16 << 20

  /// The limits of outputs that are read as lines: these may have any length.
  static let ofLines = OutputLimits(
    output: OutputLimit(byteCount: OutputContent.prefixLimit, fails: false),
    error: OutputLimit(byteCount: OutputContent.prefixLimit, fails: false)
  )

  /// The limits of outcomes of other operations than commands: these have no outputs, unless a
  /// foreign worker sends some.
  static let standard = OutputLimits(
    output: OutputLimit(byteCount: OutputLimits.defaultByteCount, fails: false),
    error: OutputLimit(byteCount: OutputLimits.defaultByteCount, fails: false)
  )
}

import PoolContents
import PoolModel
import PoolText

/// The last lines of what a failed operation has printed: of its error output or, if that is empty,
/// of its output.
struct OutputEnd: Hashable {
  /// Maximum number of lines.
  static let lineLimit = 10
  /// Maximum length of a line in columns.
  static let width = 200
  /// Number of bytes that are read: enough for the lines, and more if they are not too long.
  static let byteLimit = 8_000

  private var name: String
  private var bytes: [UInt8]
  /// Whether there is more before the bytes.
  private var isCut: Bool

  /// Reads the end of the outputs; a file that cannot be read counts as empty.
  init(of outputs: OutputPair) {
    let isError = outputs.error.byteCount > 0
    let content = isError ? outputs.error : outputs.output
    let start = content.byteCount - Int64(Self.byteLimit)
    name = isError ? "error output" : "output"
    bytes = content.dropFirst(start).prefix(Self.byteLimit)
    isCut = start > 0
  }

  /// A line that says whose they are, and the lines, safe for a terminal; nothing of an empty
  /// output.
  func lines(of title: [UInt8]) -> [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    // The first bytes may be the end of a line.
    if isCut, lines.count > 1 { lines.removeFirst() }
    guard !lines.isEmpty else { return [] }
    let isPartial = isCut || lines.count > Self.lineLimit
    let heading =
      "opool: \(Printable.name(title)): \(isPartial ? "the end of its" : "its") \(name):"
    return [heading]
      + lines.suffix(Self.lineLimit).map {
        "  " + DisplayWidth.truncate(Printable.text($0), to: Self.width)
      }
  }
}

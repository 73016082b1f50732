import PoolContents

/// The end of an output, for a document that has the outputs of many operations.
struct OutputTail {
  /// The most bytes of one output of an operation that did not succeed: 8,000.
  static let failureLimit = 8_000
  /// The most bytes of one output of any other operation: 1,000.
  static let otherLimit = 1_000

  /// Number of bytes that the outputs of operations that did not succeed may still have: 16 MiB.
  private var failureRoom = 16 << 20
  /// The same of the others: 8 MiB.
  private var otherRoom = 8 << 20

  /// Takes the end of an output, whole lines of it if possible; a line before says what is missing.
  mutating func take(_ content: OutputContent, isFailure: Bool) -> String {
    let size = content.byteCount
    guard size > 0 else { return "" }
    let room = isFailure ? failureRoom : otherRoom
    let limit = min(isFailure ? Self.failureLimit : Self.otherLimit, room)
    guard limit > 0 else { return "(\(size) bytes, left out: there are too many outputs)\n" }
    let start = max(size - Int64(limit), 0)
    var bytes = content.dropFirst(start).prefix(limit)[...]
    if start > 0, let lineEnd = bytes.dropLast().firstIndex(of: UInt8(ascii: "\n")) {
      bytes = bytes[(lineEnd + 1)...]
    }
    if isFailure { failureRoom -= bytes.count } else { otherRoom -= bytes.count }
    let text = String(decoding: bytes, as: UTF8.self)
    return start > 0 ? "(the end of \(size) bytes)\n\(text)" : text
  }
}

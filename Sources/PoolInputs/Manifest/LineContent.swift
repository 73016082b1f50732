import PoolWire

/// What a line of a manifest has: an operation, or nothing that counts.
enum LineContent: Hashable {
  /// It is blank, or a comment.
  case nothing
  case operation
  /// It has more bytes than a line may have, and may have been read in part.
  case excessive(String)
  /// It is a comment that is not UTF-8.
  case invalidComment(String)

  init(_ line: UnsafeRawBufferPointer, lineLimit: Int) {
    // Checked first: a line that is too long may have been read in part.
    if line.count > lineLimit {
      self = .excessive(Self.excess(lineLimit))
    } else if let first = ManifestBytes.firstByte(of: line) {
      guard first == UInt8(ascii: "#") else {
        self = .operation
        return
      }
      let isValid = UTF8Check.isValid(line.assumingMemoryBound(to: UInt8.self))
      self = isValid ? .nothing : .invalidComment("a comment with bytes that are not UTF-8")
    } else {
      self = .nothing
    }
  }

  /// The message for a line that is longer than the limit.
  static func excess(_ lineLimit: Int) -> String {
    "it has more than \(lineLimit) bytes, the limit for an operation; pass long data in files"
  }
}

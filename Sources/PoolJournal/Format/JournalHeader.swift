/// The first line of a journal: the file's type, the version of its format, and the name of the
/// hash of operations.
package enum JournalHeader {
  private static let magic = "opool-journal"
  private static let version = "1"

  /// The line, with its end.
  package static let line = Array("\(magic) \(version) \(SHA256.name)\n".utf8)

  /// Number of bytes to examine in a file that does not begin with the line.
  private static let searchLimit = 80

  /// What a file begins with.
  enum Finding: Equatable {
    case whole
    /// The file ends within its first line.
    case torn
    /// The beginning of the file was never synced.
    case missing
  }

  /// Checks the first line of a file.
  static func check(_ bytes: UnsafeRawBufferPointer) throws(JournalError) -> Finding {
    if bytes.starts(with: line) { return .whole }
    if line.starts(with: bytes) { return .torn }
    if bytes.count > line.count, bytes.prefix(line.count).allSatisfy({ $0 == 0 }) {
      return .missing
    }
    let first = bytes.prefix(searchLimit).prefix { $0 != UInt8(ascii: "\n") }
    let words = String(decoding: first, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == magic else {
      throw JournalError(.notJournal, "this is not a journal")
    }
    guard words[1] == version else {
      let reason = "a journal of version \(words[1]); version \(version) is read here"
      throw JournalError(.unsupported, reason)
    }
    let known = SHA256.name
    throw JournalError(.unsupported, "a journal with the hash \(words[2]); \(known) is known here")
  }
}

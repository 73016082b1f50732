import PoolWire

/// The first line of a journal: the file's type, its version, and the name of the hash of
/// operations.
///
/// The version of the file is that of its keys: a program that does not know the keys refuses the
/// file, instead of executing everything again.
package enum JournalHeader {
  private static let magic = "opool-journal"

  /// The line of a new journal, with its end.
  package static let line = line(of: .latest)

  /// The line of a journal with these keys; the lines of all versions have the same length.
  static func line(of keys: KeyVersion) -> [UInt8] {
    Array("\(magic) \(keys.rawValue) \(SHA256.name)\n".utf8)
  }

  /// The first line of these bytes, or that of a new journal where they have none.
  static func line(continuing bytes: [UInt8]) -> [UInt8] {
    lines.first { bytes.starts(with: $0) } ?? line
  }

  private static let lines = KeyVersion.allCases.map { line(of: $0) }

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
    if lines.contains(where: { bytes.starts(with: $0) }) { return .whole }
    if lines.contains(where: { $0.starts(with: bytes) }) { return .torn }
    if bytes.count > line.count, bytes.prefix(line.count).allSatisfy({ $0 == 0 }) {
      return .missing
    }
    let first = bytes.prefix(searchLimit).prefix { $0 != UInt8(ascii: "\n") }
    let words = String(decoding: first, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == magic else {
      throw JournalError(.notJournal, "this is not a journal")
    }
    guard KeyVersion.allCases.contains(where: { String($0.rawValue) == words[1] }) else {
      let last = KeyVersion.latest.rawValue
      let reason = "a journal of version \(words[1]); \(last) is the last version known here"
      throw JournalError(.unsupported, reason)
    }
    let known = SHA256.name
    throw JournalError(.unsupported, "a journal with the hash \(words[2]); \(known) is known here")
  }
}

/// Which parts of an operation its key is made of; the journal's first line and its openings say
/// it.
package enum KeyVersion: Int, Sendable, CaseIterable {
  /// The content, as in journals of opool 0.1.0, whose openings say nothing.
  case content = 1
  /// The content and the identifier, if the operation was given one.
  ///
  /// A command can read its identifier (`OPOOL_ID`), so that equal commands may do different
  /// things.
  case contentAndIdentifier = 2

  /// The version of new journals.
  package static let latest = Self.contentAndIdentifier
}

extension JournalState {
  /// The version of the keys in the journal.
  package func knownKeyVersion() throws(JournalError) -> KeyVersion {
    guard hasOpening else { return .latest }
    guard let number = keyVersion else { return .content }
    guard let version = KeyVersion(rawValue: number) else {
      let latest = KeyVersion.latest.rawValue
      let reason = "a journal with keys of version \(number); \(latest) is the last one known here"
      throw JournalError(.unsupported, reason)
    }
    return version
  }
}

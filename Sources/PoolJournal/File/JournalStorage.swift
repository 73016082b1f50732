package import PoolSystem

/// What a journal is written to: a file, or in tests something that forgets as a disk may.
package protocol JournalStorage: Sendable {
  /// Appends all of the bytes, or throws and may have appended some.
  func append(_ bytes: [UInt8]) throws(SystemFailure)
  /// Returns when the disk has all that was appended; may be called while another thread appends.
  func sync() throws(SystemFailure)
  /// Forgets what is behind that many bytes.
  func cut(to count: Int) throws(SystemFailure)
  /// Throws where this is no longer what later runs will find, or has another length.
  func check(byteCount: Int) throws(JournalError)
}

extension JournalStorage {
  /// Nobody else can reach it.
  package func check(byteCount: Int) throws(JournalError) {}
}

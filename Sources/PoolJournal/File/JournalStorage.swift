package import PoolSystem

/// The storage of a journal: a file, or, in tests, one that loses bytes as a disk may.
package protocol JournalStorage: Sendable {
  /// Appends all of the bytes; if it throws, it may have appended some.
  func append(_ bytes: [UInt8]) throws(SystemFailure)
  /// Syncs everything that was appended; another thread may append meanwhile.
  func sync() throws(SystemFailure)
  /// Throws if a failure became known after the bytes were appended, such as a quota of a network
  /// file system.
  func confirm() throws(SystemFailure)
  /// Truncates the storage to that many bytes.
  func cut(to count: Int) throws(SystemFailure)
  /// Throws if later runs will not find this storage, or if it has another length.
  func check(byteCount: Int) throws(JournalError)
}

extension JournalStorage {
  /// For storages that fail only while they are used.
  package func confirm() throws(SystemFailure) {}

  /// For storages that no other process can reach.
  package func check(byteCount: Int) throws(JournalError) {}
}

package import PoolSystem

/// Why a journal cannot be read or written.
package struct JournalError: Error, Hashable, Sendable {
  /// The kind of error.
  package enum Code: Hashable, Sendable {
    /// The file is not a journal.
    case notJournal
    /// The version or the hash is not supported.
    case unsupported
    /// Bytes that are no record come before records.
    case corrupt(offset: Int)
    /// The journal exists, and was not to be continued.
    case exists
    /// Another process has the journal.
    case inUse
    /// The file was deleted, replaced or changed while this process wrote to it.
    case tampered
    /// Outputs that were not printed cannot be read.
    case lostOutputs
    /// A system call failed.
    case system(SystemFailure)
  }

  package var code: Code
  /// One sentence, without its full stop.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package init(_ failure: SystemFailure) {
    self.init(.system(failure), failure.description)
  }

  /// The message of an error of the kind `exists`.
  package static let existence = "a journal is there already; --resume continues it"

  /// Runs system calls; throws their failures as errors of the journal.
  static func system<Value>(
    _ body: () throws(SystemFailure) -> Value
  ) throws(JournalError) -> Value {
    do throws(SystemFailure) {
      return try body()
    } catch {
      throw JournalError(error)
    }
  }
}

extension JournalError: CustomStringConvertible {
  package var description: String { message }
}

package import PoolSystem

/// Why a journal cannot be read or written.
package struct JournalError: Error, Hashable, Sendable {
  /// What kind of trouble it is.
  package enum Code: Hashable, Sendable {
    /// The file is something else.
    case notJournal
    /// Another version or another hash.
    case unsupported
    /// Something that is no record stands before records that are.
    case corrupt(offset: Int)
    /// There is a journal already, and it was not to be continued.
    case exists
    /// Another process has it.
    case inUse
    /// Somebody has deleted, replaced or changed the file while it was written.
    case tampered
    /// Outputs that were not printed cannot be read where they were kept.
    case lostOutputs
    /// The system refused.
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

  /// Does what only the system can fail, as an error of the journal.
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

import PoolEvents
import PoolModel

/// An operation as programs that read JUnit's XML know it: a test.
struct JUnitCase {
  /// What a reader of JUnit's XML tells apart.
  enum Result: String, Hashable {
    case passed
    /// It executed, and failed.
    case failure
    /// It could not be executed, or its worker was lost.
    case error
    case skipped
  }

  var name: String
  /// Its group, or the manifest.
  var suite: String
  /// The manifest, and the line in it, if there is one.
  var place: (file: String, line: Int)?
  /// Nanoseconds of the last attempt.
  var time: Int64
  var attempts: Int
  var result: Result
  /// Why it did not pass, in a word and in a sentence.
  var type = ""
  var message = ""
  /// The ends of what it printed; empty for nothing.
  var output = ""
  var error = ""
}

extension JUnitCase.Result {
  /// What an outcome is for such a reader.
  init(_ record: EndRecord) {
    switch record.ending {
    case .succeeded: self = .passed
    case .cancelled, .skipped: self = .skipped
    case .lost: self = .error
    case .timedOut: self = .failure
    case .failed: self = record.cause.map(Self.isOwn) == true ? .failure : .error
    }
  }

  /// Whether an operation has failed by itself.
  private static func isOwn(_ cause: PoolFailureCause) -> Bool {
    switch cause {
    case .exit, .signal, .error, .outputLimit, .timeout: true
    case .spawn, .cancelled, .workerDied, .mayHaveBegun, .violation, .quarantined, .dependency,
      .noWorker, .unservedKind, .condition, .input, .member:
      false
    }
  }
}

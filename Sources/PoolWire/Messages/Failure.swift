/// Why an execution failed.
package struct Failure: Hashable, Sendable {
  /// The kind of failure.
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    /// The command exited with a code other than 0.
    case exit
    /// A signal ended the command.
    case signal
    /// The operation threw an error.
    case error
    /// The command could not be started.
    case spawn
    /// An output has more bytes than its limit.
    case outputLimit
    /// It took longer than the worker was told that it may.
    case timeout
  }

  package var cause: Cause
  /// One sentence for people.
  package var message: String
  /// The type of a thrown error.
  package var type: String?
  /// The exit code or the signal.
  package var code: Int32?
  /// A thrown error itself, as JSON, which was checked.
  package var value: [UInt8]?
  /// Whether the thrown error has the type that the operation declares.
  package var isDeclared: Bool

  package init(
    cause: Cause,
    message: String,
    type: String? = nil,
    code: Int32? = nil,
    value: [UInt8]? = nil,
    isDeclared: Bool = false
  ) {
    self.cause = cause
    self.message = message
    self.type = type
    self.code = code
    self.value = value
    self.isDeclared = isDeclared
  }

  /// A failure with these further reasons; nil if there is neither a failure nor a reason.
  package static func joining(_ failure: Self?, _ reasons: [String]) -> Self? {
    guard !reasons.isEmpty else { return failure }
    var joint = failure ?? Self(cause: .error, message: "")
    joint.message = (joint.message.isEmpty ? reasons : [joint.message] + reasons)
      .joined(separator: "; ")
    return joint
  }

  /// The failure of an operation whose outputs have too many bytes, which these reasons say.
  ///
  /// The limit is the cause of whatever followed it: a command whose output is closed may be ended
  /// by a signal, or exit with any code. How it ended is in the message.
  package static func overLimit(_ failure: Self?, _ reasons: [String]) -> Self? {
    guard !reasons.isEmpty, failure?.cause != .outputLimit else { return failure }
    let end = failure.flatMap { $0.message.isEmpty ? nil : $0.message }
    let message = (reasons + [end].compactMap(\.self)).joined(separator: "; ")
    return Self(cause: .outputLimit, message: message)
  }
}

extension Failure {
  /// The longest sentence that is kept, in bytes: 4 KiB.
  package static let messageLimit = 4 << 10
  /// The longest name of a type that is kept, in bytes: 1 KiB.
  package static let typeLimit = 1 << 10
  /// The largest value that is kept, in bytes: 64 KiB.
  package static let valueLimit = 64 << 10
  /// How deep a value may nest: it is within the object `error`.
  package static let valueDepthLimit = JSONScanner.depthLimit - 1

  /// Truncates texts that are over their limits: a worker may send as much as a frame holds.
  package mutating func boundTexts() {
    message = message.bounded(to: Self.messageLimit)
    type = type?.bounded(to: Self.typeLimit)
  }
}

extension String {
  /// The text, or its beginning with an ellipsis if it has more bytes than the limit.
  package func bounded(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    // The view of scalars rounds down to the start of a scalar.
    let end = utf8.index(startIndex, offsetBy: max(limit - "…".utf8.count, 0))
    return String(unicodeScalars[..<end]) + "…"
  }
}

/// What a case has come to.
package struct CaseResult: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case passed
    case failed(Conversation.Failure)
    /// The case was not judged, for this reason.
    case skipped(String)
  }

  package var test: ConformanceCase
  package var verdict: Verdict

  package var hasFailed: Bool {
    if case .failed = verdict { true } else { false }
  }

  var isSkipped: Bool {
    if case .skipped = verdict { true } else { false }
  }
}

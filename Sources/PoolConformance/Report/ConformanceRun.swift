import PoolModel
package import PoolWire

/// All cases with one worker, one after the other.
///
/// It says which conversation comes next, and what each case has come to.
package struct ConformanceRun {
  /// The case that comes first: its `hello` says what the others may demand.
  package static let firstName = "hello"

  private let kind: String?
  private let works: [ConformanceCase.Payload: Placeholders.Work]
  private let limit: Int64
  private var waiting: ArraySlice<ConformanceCase>
  private let watches: [ConformanceCase]
  /// The case of the present conversation.
  private var present: ConformanceCase?
  /// The first breach of each rule, and the case in which it was.
  private var findings: [ConversationRules.Rule: Conversation.Failure] = [:]
  private var hasEnded = false

  /// What the worker offers; nil before the first conversation, or if it did not greet.
  package private(set) var hello: Hello?
  /// The results so far, in the order of the cases.
  package private(set) var results: [CaseResult] = []

  /// Runs the cases with this kind, or the first one of `hello`.
  package init(
    _ cases: [ConformanceCase],
    kind: String?,
    works: [ConformanceCase.Payload: Placeholders.Work],
    within limit: Int64
  ) {
    (self.kind, self.works, self.limit) = (kind, works, limit)
    let scripts = cases.filter { $0.rule == nil }
    let (first, others) = (scripts.filter(\.isFirst), scripts.filter { !$0.isFirst })
    let (minimal, full) = (others.filter(\.isMinimal), others.filter { !$0.isMinimal })
    waiting = (first + minimal + full)[...]
    watches = cases.filter { $0.rule != nil }
  }

  /// Number of all cases.
  package var count: Int { results.count + waiting.count + (hasEnded ? 0 : watches.count) }

  /// A kind that the user has named, and the worker does not serve.
  package var unservedKind: String? {
    guard let hello else { return nil }
    return ([kind] + works.values.map(\.kind)).compactMap(\.self).sorted()
      .first { !hello.kinds.contains($0) }
  }

  /// The next conversation; nil at the end.
  package mutating func next() -> Conversation? {
    while let test = waiting.popFirst() {
      guard case .steps(let steps) = test.content else { continue }
      if let reason = reasonToSkip(test) {
        results.append(CaseResult(test: test, verdict: .skipped(reason)))
        continue
      }
      present = test
      let kind = kind ?? hello?.kinds.first ?? ""
      let placeholders = Placeholders(kind: kind, works: works)
      return Conversation(steps, placeholders, within: limit)
    }
    judgeWatches()
    return nil
  }

  /// Judges the conversation that ``next()`` has returned.
  package mutating func ended(_ conversation: Conversation) {
    guard let test = present else { return }
    present = nil
    for finding in conversation.findings where findings[finding.rule] == nil {
      var failure = finding.failure
      failure.message += " (in the case '\(test.name)')"
      findings[finding.rule] = failure
    }
    let outcome = conversation.outcome
    if test.isFirst, outcome == nil { hello = conversation.hello }
    results.append(CaseResult(test: test, verdict: outcome.map { .failed($0) } ?? .passed))
  }

  private static let silence = "the worker did not greet"

  /// Why a case is not judged; nil if it is.
  private func reasonToSkip(_ test: ConformanceCase) -> String? {
    guard !test.isFirst else { return nil }
    guard let hello else { return Self.silence }
    let missing = test.capabilities.filter { !hello.capabilities.contains($0) }.map(\.rawValue)
    if !missing.isEmpty { return "the worker does not offer \(missing.joined(separator: ", "))" }
    let absent = test.needs.filter { works[$0] == nil }
    if !absent.isEmpty {
      return "needs " + absent.map { "--\($0.rawValue)" }.joined(separator: " and ")
    }
    if hello.kinds.isEmpty { return "the worker names no kind; needs --kind" }
    return nil
  }

  /// Judges the rules, at the end.
  private mutating func judgeWatches() {
    guard !hasEnded else { return }
    hasEnded = true
    for test in watches { results.append(CaseResult(test: test, verdict: verdict(ofWatch: test))) }
  }

  private func verdict(ofWatch test: ConformanceCase) -> CaseResult.Verdict {
    if let rule = test.rule, let failure = findings[rule] { return .failed(failure) }
    return hello == nil ? .skipped(Self.silence) : .passed
  }
}

extension ConformanceCase {
  fileprivate var isFirst: Bool { name == ConformanceRun.firstName }

  /// Whether it is demanded of every worker.
  fileprivate var isMinimal: Bool { capabilities.isEmpty }

  /// The rule that it watches.
  fileprivate var rule: ConversationRules.Rule? {
    if case .watch(let rule) = content { rule } else { nil }
  }
}

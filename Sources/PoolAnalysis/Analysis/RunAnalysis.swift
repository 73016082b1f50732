package import PoolModel

/// What the records of a run mean: where its time went, why it took that long, and what would have
/// been faster.
package struct RunAnalysis: Sendable {
  package let history: RunHistory
  package let lanes: SlotLanes
  /// When each operation could have been executed first; nil for those that never were ready.
  package let ready: [Instant?]
  package let account: SlotAccount
  /// The chain of attempts that decided how long the run took, in the order of time.
  package let chain: [DecidingStep]
  package let groups: [GroupSummary]
  package let failures: [FailureGroup]
  /// Attempts that another one followed, by reason.
  package let repeated: [RepeatedAttempts]
  package let deaths: [WorkerDeaths]
  /// What would have been faster, the largest saving first.
  package let advice: [Advice]

  /// Analyses a run.
  package init(_ history: RunHistory, by workforce: some Workforce = OneByOne()) {
    let (lanes, ready) = workforce.both({ SlotLanes(history) }, { ReadyTimes.of(history) })
    let (advisor, parts) = workforce.both(
      { Advisor(history, slots: SlotAccount.width(history, lanes)) },
      {
        (
          SlotAccount(history, lanes, ready: ready),
          DecidingChain.of(history, lanes, ready: ready), GroupSummary.all(of: history)
        )
      }
    )
    (self.history, self.lanes, self.ready) = (history, lanes, ready)
    (account, chain, groups) = parts
    failures = FailureGroup.all(of: history)
    repeated = RepeatedAttempts.all(of: history)
    deaths = WorkerDeaths.all(of: history)
    advice = advisor?.advice(chain, by: workforce) ?? []
  }

  /// Nanoseconds from the beginning of the run to its end.
  package var elapsed: Int64 { history.end.nanoseconds }
}

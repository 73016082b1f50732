import OperationPool
import PoolModel

// The rules, which hold for what was written down.

extension Storm {
  /// What was written down against the rules.
  func faults() -> [String] {
    let records = trace.records
    var faults = trace.faults
    for index in operations.indices {
      let record = records[index]
      guard let outcome = operations[index].outcome, operations[index].isFinished else {
        faults.append("\(index) has no outcome")
        continue
      }
      let found =
        countFaults(record, outcome) + endingFaults(index, record, outcome)
        + orderFaults(index, records, outcome) + barrierFaults(index, records)
      let deeds = "\(index), \(outcome.ending), \(plans[index]), \(record): "
      faults += found.map { deeds + $0 }
    }
    return faults
  }

  /// It completes once, and says how often it was executed.
  private func countFaults(_ record: StormTrace.Record, _ outcome: PoolOutcome) -> [String] {
    var faults: [String] = []
    if record.completed != 1 { faults.append("completed \(record.completed) times") }
    if record.begun.count != record.ended.count { faults.append("executes after its end") }
    if record.begun.count != outcome.attempts { faults.append("says \(outcome.attempts) attempts") }
    if zip(record.ended, record.begun.dropFirst()).contains(where: { $0 > $1 }) {
      faults.append("executes twice at once")
    }
    return faults
  }

  /// It ends as it was told to, and for a reason.
  private func endingFaults(
    _ index: Int,
    _ record: StormTrace.Record,
    _ outcome: PoolOutcome
  ) -> [String] {
    let (begun, failures) = (record.begun.count, plans[index].failures)
    let mayFail = begun == 2 || operations[index].isCancelled && begun == 1
    let isRight =
      switch outcome.ending {
      case .succeeded: begun == failures + 1
      case .failed: begun > 0 && begun <= failures && mayFail
      case .cancelled: operations[index].isCancelled && begun <= failures
      case .skipped: !unmet(by: index).isEmpty && begun < 2
      case .timedOut, .lost: false
      }
    var faults = isRight ? [] : ["it should have ended otherwise"]
    switch outcome.cancellation?.origin {
    case nil: if operations[index].isCancelled { faults.append("nobody has cancelled it") }
    case .operation, .gate: if !record.isAsked { faults.append("it was cancelled by itself") }
    case .queue:
      if !queues[plans[index].queue].wasCancelled {
        faults.append("its queue has not cancelled it")
      }
    case .group, .task: faults.append("it is in no group")
    }
    return faults
  }

  /// What has ended otherwise than an operation requires.
  private func unmet(by index: Int) -> [Int] {
    indices(of: operations[index].dependencies).filter { other in
      guard let ending = operations[other].outcome?.ending else { return false }
      return !requirement(of: index, on: other).isMet(by: ending)
    }
  }

  /// Its last execution came after what it depended on, and after its gates were opened.
  ///
  /// What it depends on does not change any more once it is executed; one that has left between two
  /// attempts may have been told to wait for something since.
  private func orderFaults(
    _ index: Int,
    _ records: [StormTrace.Record],
    _ outcome: PoolOutcome
  ) -> [String] {
    guard let last = records[index].begun.last,
      outcome.ending == .succeeded || outcome.ending == .failed
    else { return [] }
    var faults = unmet(by: index).map { "executed although \($0) had not ended as required" }
    for other in indices(of: operations[index].dependencies)
    where records[other].ended.last ?? 0 > last {
      faults.append("executed before \(other), which it depends on")
    }
    if records[index].gates.contains(where: { $0 > last }) {
      faults.append("executed before its gates were open")
    }
    return faults
  }

  /// A barrier waits for what was surely added before it, and holds back what surely came later.
  private func barrierFaults(_ index: Int, _ records: [StormTrace.Record]) -> [String] {
    guard plans[index].options.isBarrier, let first = records[index].begun.first,
      let last = records[index].ended.last, let adding = records[index].adding,
      let added = records[index].added
    else { return [] }
    var faults: [String] = []
    for (other, record) in records.enumerated() where plans[other].queue == plans[index].queue {
      if record.added ?? .max < adding, record.ended.last ?? 0 > first {
        faults.append("did not wait for \(other), before it")
      }
      if record.adding ?? 0 > added, record.begun.first ?? .max < last {
        faults.append("was not waited for by \(other), behind it")
      }
    }
    return faults
  }
}

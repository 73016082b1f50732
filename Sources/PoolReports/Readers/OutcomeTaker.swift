package import PoolContents
package import PoolEvents
package import PoolJournal

/// Takes the outcomes of operations together with what they have left, each once in all runs of a
/// journal.
package protocol OutcomeTaker: AnyObject {
  /// Takes the outcome of an operation or a group.
  func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery)
}

/// To whom an outcome goes.
package struct OutcomeDelivery {
  /// The targets that get its value.
  package var roles: TargetRoles
  /// Whether it counts; else a later run executes the operation again.
  package var isReported: Bool
  /// Whether outputs are printed: not those that the run which executes the operation again prints.
  package var isPrinted: Bool

  package init(roles: TargetRoles, isReported: Bool, isPrinted: Bool) {
    self.roles = roles
    self.isReported = isReported
    self.isPrinted = isPrinted
  }
}

/// An operation, or a group, that has ended, and what is to be done with it: an object, because it
/// is handed on several times.
package final class EndedOperation: Sendable {
  package let record: EndRecord
  package let outputs: OutputPair
  /// The result that the journal, the folder or the results get, if any.
  package let result: ResultContent?
  /// What an earlier run has of it, if that executed it.
  package let resumed: RunJournal.Resumed?
  /// The targets that get its value.
  package let readers: TargetRoles
  /// Whether the journal keeps its outcome.
  package let isKept: Bool

  package init(
    _ record: EndRecord,
    _ outputs: OutputPair,
    result: ResultContent? = nil,
    resumed: RunJournal.Resumed? = nil,
    for readers: TargetRoles,
    isKept: Bool
  ) {
    (self.record, self.outputs) = (record, outputs)
    (self.result, self.resumed) = (result, resumed)
    (self.readers, self.isKept) = (readers, isKept)
  }

  /// Whether storing its value takes long.
  package var isLong: Bool { outputs.isLong || result?.isLong == true }

  /// What is to be printed: not what an interrupted run has printed already.
  var unprintedOutputs: OutputPair {
    guard let count = resumed?.printedCount, count > 0 else { return outputs }
    return OutputPair(output: outputs.output.dropFirst(count), error: outputs.error)
  }

  /// The value that a line of results has: nothing of an earlier run's, unless the file lacks it.
  package func line(for readers: TargetRoles) -> (outputs: OutputPair, result: ResultContent?) {
    let hasValue = resumed == nil || readers.contains(.results)
    return hasValue ? (outputs, result) : (.empty, nil)
  }
}

/// A variable of a command's environment that describes the execution.
package enum ExecutionVariable: String, CaseIterable, Sendable {
  /// The operation's name in messages and results: its `id` in a manifest, else its number.
  case id = "OPOOL_ID"
  /// The number of the attempt, from 1.
  case attempt = "OPOOL_ATTEMPT"
  /// A number from 1 that no other command has at the same time; see ``Welcome/slot``.
  case slot = "OPOOL_SLOT"
  /// The number of the worker, which no later worker gets. Not `OPOOL_WORKER`, which makes a
  /// program serve frames.
  case worker = "OPOOL_WORKER_ID"
  /// The idempotency key: the same in each attempt and each resumed run, and in no other run.
  case key = "OPOOL_KEY"
  /// GNU parallel's name for the operation's number, from 1.
  case sequence = "PARALLEL_SEQ"
  /// GNU parallel's name for the slot.
  case jobSlot = "PARALLEL_JOBSLOT"
}

extension ExecutionVariable {
  /// Its meaning, for the help.
  package var meaning: String {
    switch self {
    case .id: "what messages and results call the operation: its id, or its number"
    case .attempt: "the number of the attempt, from 1"
    case .slot: "a number from 1 that no other command has at the same time"
    case .worker: "the number of its worker, which no later worker has"
    case .key:
      "an idempotency key: the same in each attempt and each resumed run, and in no other run"
    case .sequence: "the number of the operation, from 1, as GNU parallel calls it"
    case .jobSlot: "the slot, as GNU parallel calls it"
    }
  }
}

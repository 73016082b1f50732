import PoolJournal
import PoolModel
import PoolWire

/// What `opool journal verify` finds.
struct JournalSummary: Hashable {
  var records: Int
  var runs: Int
  var outcomes: Int
  var succeeded: Int
  /// Number of operations with outputs that were not printed.
  var unprinted: Int
  /// Whether nothing is damaged or missing.
  var isWhole: Bool

  init(_ state: JournalState, recordCount: Int, isWhole: Bool) {
    records = recordCount
    runs = Int(state.epoch)
    outcomes = state.outcomes.count
    succeeded = state.outcomes.values.count { $0.ending == .succeeded }
    unprinted = state.unprinted.count
    self.isWhole = isWhole
  }

  /// The line for people.
  func text(of name: String) -> String {
    let rest = unprinted > 0 ? ", outputs of \(unprinted) not printed" : ""
    let counts = [Plural.of(records, "record"), Plural.of(runs, "run")]
    return "\(name): \(counts.joined(separator: ", ")), "
      + "\(Plural.of(outcomes, "outcome")), \(succeeded) of them succeeded\(rest)\n"
  }

  /// The same as a report on a file.
  func json(of path: [UInt8]) -> [UInt8] {
    JSONReport.line("journal") { writer in
      writer.key("file")
      writer.byteText(path)
      writer.field("records", records)
      writer.field("runs", runs)
      writer.field("outcomes", outcomes)
      writer.field("succeeded", succeeded)
      writer.field("unprinted", unprinted)
      writer.key("whole")
      writer.bool(isWhole)
    }
  }
}

package import PoolJournal
import PoolModel
import PoolWire

/// What `opool journal verify` finds.
package struct JournalSummary: Hashable {
  package var records: Int
  var runs: Int
  package var outcomes: Int
  package var succeeded: Int
  /// Number of operations with outputs that were not printed.
  package var unprinted: Int
  /// Whether nothing is damaged or missing.
  package var isWhole: Bool

  package init(_ state: JournalState, recordCount: Int, isWhole: Bool) {
    records = recordCount
    runs = Int(state.epoch)
    outcomes = state.outcomes.count
    succeeded = state.outcomes.values.count { $0.ending == .succeeded }
    unprinted = state.unprinted.count
    self.isWhole = isWhole
  }

  /// The line for people.
  package func text(of name: String) -> String {
    let rest = unprinted > 0 ? ", outputs of \(unprinted) not printed" : ""
    let counts = [Plural.of(records, "record"), Plural.of(runs, "run")]
    return "\(name): \(counts.joined(separator: ", ")), "
      + "\(Plural.of(outcomes, "outcome")), \(succeeded) of them succeeded\(rest)\n"
  }

  /// The same as a report on a file.
  package func json(of path: [UInt8]) -> [UInt8] {
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

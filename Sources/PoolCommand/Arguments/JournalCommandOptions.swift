import PoolInputs

/// The arguments of `opool journal`.
package struct JournalCommandOptions: Hashable, Sendable {
  /// The subcommand of `opool journal`.
  package enum Action: String, Hashable, Sendable, CaseIterable {
    /// Checks whether the journal is intact.
    case verify
    /// Prints its records.
    case export
    /// Removes the records that no resume needs.
    case compact
  }

  package var action: Action
  /// The journal's file; not empty.
  package var path: [UInt8]
  /// Whether to print JSON, as an export does always.
  package var printsJSON: Bool
  /// Whether an export prints what happened in the runs, as `--events` does.
  package var printsEvents: Bool

  package init(
    _ action: Action,
    path: [UInt8],
    printsJSON: Bool = false,
    printsEvents: Bool = false
  ) {
    self.printsEvents = printsEvents
    self.action = action
    self.path = path
    self.printsJSON = printsJSON
  }

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
    guard let word = arguments.first else {
      throw UsageError("nothing to do with a journal", hint: "write \(names)", topic: .journal)
    }
    let name = String(decoding: word, as: UTF8.self)
    if name == "--help" || name == "-h" { return .help(.journal) }
    if name == "--version" { return .version }
    guard let action = Action(rawValue: name) else {
      throw UsageError(
        "journals can be used with \(names)",
        argument: word,
        topic: .journal
      )
    }
    let words = arguments.dropFirst()
    let (json, events) = (Array("--json".utf8), Array("--events".utf8))
    let printsEvents = action == .export && words.contains(events)
    // A file of that name is './--json'.
    let files = words.filter { $0 != json && !(printsEvents && $0 == events) }
    guard files.count == 1, let path = files.first, !path.isEmpty else {
      throw UsageError("opool journal \(name) needs one file", topic: .journal)
    }
    if path == Array("--help".utf8) || path == Array("-h".utf8) { return .help(.journal) }
    let printsJSON = words.contains(json)
    let options = JournalCommandOptions(
      action,
      path: path,
      printsJSON: printsJSON,
      printsEvents: printsEvents
    )
    return .journal(options)
  }
}

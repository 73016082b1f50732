package import PoolJournal

/// The options of `opool run` and `opool map` that are about the journal.
package struct JournalOptions: Hashable, Sendable {
  /// The journal's file; nil where there is to be none.
  package var path: [UInt8]?
  /// When outcomes are on the disk; nil for within 50 ms.
  package var durability: Durability?
  /// Whether a journal that is there is continued.
  package var resumes = false
  /// Whether it is continued, and what did not succeed is executed again.
  package var resumesFailed = false
  /// Whether a damaged journal is continued without what cannot be read.
  package var salvages = false

  package init() {}

  /// How the journal is opened.
  var opening: OpenJournal.Options {
    var options = OpenJournal.Options()
    options.continues = resumes || resumesFailed
    options.salvages = salvages
    options.durability = durability ?? .window
    return options
  }

  /// Options that would mean nothing are more likely a mistake than a wish.
  func check(beside results: [UInt8]?, _ topic: HelpTopic) throws(UsageError) {
    if let path, path == results {
      throw UsageError("the journal and the results in one file", argument: path, topic: topic)
    }
    if salvages, !opening.continues {
      throw UsageError("--salvage is for --resume or --resume-failed", topic: topic)
    }
    guard path == nil else { return }
    let given = [
      ("--resume", resumes), ("--resume-failed", resumesFailed),
      ("--durability", durability != nil),
    ]
    guard let option = given.first(where: { $0.1 }) else { return }
    throw UsageError(
      "\(option.0) without a journal",
      hint: "write '--journal FILE'",
      topic: topic
    )
  }
}

/// The arguments of `opool journal`.
package struct JournalCommandOptions: Hashable, Sendable {
  /// What is done with the journal.
  package enum Action: String, Hashable, Sendable, CaseIterable {
    /// Say whether it is whole.
    case verify
    /// Print its records.
    case export
    /// Take away what no resume needs.
    case compact
  }

  package var action: Action
  /// The journal's file; not empty.
  package var path: [UInt8]

  package init(_ action: Action, path: [UInt8]) {
    self.action = action
    self.path = path
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
    let files = arguments.dropFirst()
    guard files.count == 1, let path = files.first, !path.isEmpty else {
      throw UsageError("opool journal \(name) needs one file", topic: .journal)
    }
    if path == Array("--help".utf8) || path == Array("-h".utf8) { return .help(.journal) }
    return .journal(JournalCommandOptions(action, path: path))
  }
}

import OperationPool
package import PoolJournal

/// The journal options of `opool run` and `opool map`.
package struct JournalOptions: Hashable, Sendable {
  /// The journal's file; nil without a journal.
  package var path: [UInt8]?
  /// When outcomes are synced; nil for within 50 ms.
  package var durability: Durability?
  /// `--resume`: continues an existing journal.
  package var resumes = false
  /// `--resume-failed`: also executes again what did not succeed.
  package var resumesFailed = false
  /// `--rerun`: the identifiers of operations that are executed again, with what depends on them.
  package var reruns: Set<[UInt8]> = []
  /// `--salvage`: skips the unreadable parts of a damaged journal.
  package var salvages = false
  /// `--same-folder`: outcomes of other folders count, too.
  package var takesOtherFolders = false
  /// The folder that commands execute in, without symbolic links; known when the run begins.
  var folder: [UInt8]?

  package init() {}

  /// How the journal is opened.
  var opening: OpenJournal.Options {
    var options = OpenJournal.Options()
    options.continues = resumes || resumesFailed || !reruns.isEmpty
    options.salvages = salvages
    options.durability = durability ?? .window
    (options.folder, options.takesOtherFolders) = (folder, takesOtherFolders)
    return options
  }

  /// The folder whose outcomes count; nil if those of all folders do.
  var countedFolder: [UInt8]? { takesOtherFolders ? nil : folder }

  /// What to say of a journal with outcomes that do not count in the folder of this run; nil if there
  /// are none.
  func remark(on state: JournalState) -> String? {
    guard let folder, let other = state.otherFolder(than: countedFolder) else { return nil }
    return "commands were executed in \(Printable.text(other)), and now are in "
      + "\(Printable.text(folder)), where they mean something else: they are executed again; "
      + "--same-folder keeps their outcomes"
  }

  /// Throws if an operation of a whole workload is to be executed again, and is not in it.
  func demandReruns(in workload: any Workload) throws(RunFailure) {
    guard !reruns.isEmpty else { return }
    let known = Set((0..<workload.count).map { workload.id(of: $0) })
    let unknown = reruns.subtracting(known).min { $0.lexicographicallyPrecedes($1) }
    guard let unknown else { return }
    let isGroup = (0..<workload.groupCount).contains { workload.groupName($0) == unknown }
    let advice = isGroup ? "; it is a group: name its operations" : ""
    throw RunFailure(.usage, Self.complaint(of: unknown) + advice)
  }

  /// The message about an identifier that no operation has.
  static func complaint(of id: [UInt8]) -> String {
    "--rerun \(Printable.name(id)): no operation has this id"
  }

  /// Refuses options that have no effect: they are probably a mistake.
  func check(beside results: [UInt8]?, _ topic: HelpTopic) throws(UsageError) {
    if path == Array("-".utf8) {
      throw UsageError("a journal is a file, not a stream", argument: path ?? [], topic: topic)
    }
    if let path, path == results {
      throw UsageError("the journal and the results in one file", argument: path, topic: topic)
    }
    for (option, isGiven) in [("--salvage", salvages), ("--same-folder", takesOtherFolders)]
    where isGiven && !opening.continues {
      throw UsageError("\(option) is for --resume, --resume-failed or --rerun", topic: topic)
    }
    guard path == nil else { return }
    let given = [
      ("--resume", resumes), ("--resume-failed", resumesFailed), ("--rerun", !reruns.isEmpty),
      ("--durability", durability != nil),
    ]
    guard let option = given.first(where: { $0.1 }) else { return }
    throw UsageError(
      "\(option.0) without a journal",
      hint: "write '--journal FILE'; a job log is for GNU parallel",
      topic: topic
    )
  }
}

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

  package init(_ action: Action, path: [UInt8], printsJSON: Bool = false) {
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
    let json = Array("--json".utf8)
    // A file of that name is './--json'.
    let files = words.filter { $0 != json }
    guard files.count == 1, let path = files.first, !path.isEmpty else {
      throw UsageError("opool journal \(name) needs one file", topic: .journal)
    }
    if path == Array("--help".utf8) || path == Array("-h".utf8) { return .help(.journal) }
    let printsJSON = words.contains(json)
    return .journal(JournalCommandOptions(action, path: path, printsJSON: printsJSON))
  }
}

package import PoolInputs
package import PoolJournal
import PoolModel

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
  package var folder: [UInt8]?

  package init() {}

  /// How the journal is opened.
  package var opening: OpenJournal.Options {
    var options = OpenJournal.Options()
    options.continues = resumes || resumesFailed || !reruns.isEmpty
    options.salvages = salvages
    options.durability = durability ?? .window
    (options.folder, options.takesOtherFolders) = (folder, takesOtherFolders)
    return options
  }

  /// The folder whose outcomes count; nil if those of all folders do.
  var countedFolder: [UInt8]? { takesOtherFolders ? nil : folder }

  /// What to say of a journal with outcomes that do not count in the folder of this run; nil if
  /// there are none.
  package func remark(on state: JournalState) -> String? {
    guard let folder, let other = state.otherFolder(than: countedFolder) else { return nil }
    return "commands were executed in \(Printable.text(other)), and now are in "
      + "\(Printable.text(folder)), where they mean something else: they are executed again; "
      + "--same-folder keeps their outcomes"
  }

  /// Throws if an operation of a whole workload is to be executed again, and is not in it.
  package func demandReruns(in workload: any Workload) throws(RunFailure) {
    guard !reruns.isEmpty else { return }
    let known = Set((0..<workload.count).map { workload.id(of: $0) })
    let unknown = reruns.subtracting(known).min { $0.lexicographicallyPrecedes($1) }
    guard let unknown else { return }
    let isGroup = (0..<workload.groupCount).contains { workload.groupName($0) == unknown }
    let advice = isGroup ? "; it is a group: name its operations" : ""
    throw RunFailure(.usage, Self.complaint(of: unknown) + advice)
  }

  /// The message about an identifier that no operation has.
  package static func complaint(of id: [UInt8]) -> String {
    "--rerun \(Printable.name(id)): no operation has this id"
  }
}

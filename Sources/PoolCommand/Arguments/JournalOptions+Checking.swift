import PoolInputs
import PoolJournal
import PoolReports

extension JournalOptions {
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

import Foundation
import PoolModel
import PoolSystem

/// Starts a shell command of the user's, which may lead to another machine, under the launcher of
/// `opool-worker`.
struct ForeignCommandLauncher: WorkerLauncher {
  let command: String
  /// The journal that the launcher locks against later runs.
  private var journal: String?

  init(_ command: String) {
    self.command = command
  }

  var place: WorkerPlace { .unproved }
  var isForeign: Bool { true }
  var mayWait: Bool { Carrier.mayWait(command) }

  func holding(journal path: String) -> Self {
    var copy = self
    copy.journal = path
    return copy
  }

  func start(
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending any WorkerProcess {
    try SpawnedProcess.spawn(ended: ended) { process in
      process.executableURL = try WorkerPrograms.standardWorker()
      // The launcher cannot distinguish a parent that is process 1 from a parent that is gone.
      let parent = "--parent=\(CurrentProcess.identifier)"
      let holding = journal.map { ["--journal=" + $0] } ?? []
      process.arguments =
        ["launch", parent] + holding + ["--", "/bin/sh", "-c", Self.shellLine(command)]
    }
  }

  /// The line that a shell executes for a command.
  ///
  /// A single command replaces the shell, so that the worker itself is signalled. Of several, only
  /// the user knows which one is the worker, and writes `exec` before it.
  static func shellLine(_ command: String) -> String {
    joinsCommands(command) ? command : "exec \(command)"
  }

  /// Whether a line has `;`, `&`, `|` or a line feed outside quotes; `2>&1` is none of them.
  private static func joinsCommands(_ line: String) -> Bool {
    var (quote, last) = (Character?.none, Character(" "))
    for character in line {
      defer { last = last == "\\" && character == "\\" ? " " : character }
      if last == "\\", quote != "'" { continue }
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if ";|\n".contains(character) || character == "&" && last != ">" && last != "<" {
        return true
      }
    }
    return false
  }
}

import PoolModel

/// Starts a relay on another machine by a command: one connection for all of its workers.
struct HostLauncher: WorkerLauncher {
  /// The line for a shell, given how long the workers live without an answer.
  private let line: @Sendable (LeaseTerms) -> String
  private var lease = LeaseTerms.usual
  /// The journal that the launcher locks against later runs.
  private var journal: String?

  init(_ line: @escaping @Sendable (LeaseTerms) -> String) {
    self.line = line
  }

  var place: WorkerPlace { .unproved }
  var isForeign: Bool { true }
  var mayWait: Bool { true }

  func holding(journal path: String) -> Self {
    var copy = self
    copy.journal = path
    return copy
  }

  func leased(_ terms: LeaseTerms) -> Self {
    var copy = self
    copy.lease = terms
    return copy
  }

  func start(
    ended: @escaping @Sendable (PoolExitStatus) -> Void
  ) throws -> sending any WorkerProcess {
    let command = ForeignCommandLauncher(line(lease))
    return try (journal.map { command.holding(journal: $0) } ?? command).start(ended: ended)
  }
}

import PoolModel

/// Starts a relay on a host by ssh: one connection for all of its workers.
struct SSHLauncher: WorkerLauncher {
  let login: SSHLogin
  /// Number of its workers; nil for as many as the host has processors.
  let slots: Int?
  private let setup: HostSetup
  private var lease = LeaseTerms.usual
  /// The journal that the launcher locks against later runs.
  private var journal: String?

  init(_ login: SSHLogin, slots: Int?, after setup: HostSetup) {
    (self.login, self.slots, self.setup) = (login, slots, setup)
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
    let command = ForeignCommandLauncher(login.line(slots: slots, lease: lease, after: setup))
    return try (journal.map { command.holding(journal: $0) } ?? command).start(ended: ended)
  }
}

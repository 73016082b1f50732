import PoolModel
import PoolWire

/// What a connection may use beyond the minimal profile; nothing before the worker's `hello`.
struct ConnectionCapabilities: Hashable {
  /// Whether inputs may be given to it as files.
  var takesInputFiles = false
  /// Whether payloads may be attachments beside the JSON.
  var takesAttachments = false
  /// Whether it writes to an outbox, where unsent bytes are found after its death.
  var keepsOutbox = false
  /// Whether it serves only commands, with a guardian if the system supports one.
  var isStandard = false
  /// Whether it is behind a link, and puts what it sends into blocks with checksums.
  var sealsStream = false
  /// Whether it is behind a link, and ends commands itself when their time is over.
  var holdsTimeouts = false
  /// Whether it is behind a link, and ends when its lease is over.
  ///
  /// Then its link is always read: it waits itself where there is no room for its reports.
  var isLeased = false
  /// Whether it answers questions while it executes.
  var answersPings = false
  /// Whether it marks the text of its operations.
  var marksPrinted = false
  /// Whether it says what a command has written while that executes.
  var tellsTail = false
  /// Whether all text that it has written when it answers belongs to the answered operation: it has
  /// one operation at a time, and no marks.
  var writesInTurn = false

  /// The minimal profile.
  init() {}

  /// What the worker's capabilities allow, given where it executes, whether processes of this
  /// machine can open this one's files, whether its own may be used, and whether its text is wanted
  /// as lines.
  ///
  /// One that may be on another machine is offered an outbox, too: by that it proves that it is
  /// not.
  init(
    _ capabilities: Set<Capability>,
    in place: WorkerPlace,
    isBelieved: Bool,
    isProved: Bool,
    opensOurFiles: Bool,
    acceptsFiles: Bool,
    dividesText: Bool
  ) {
    takesInputFiles = acceptsFiles && opensOurFiles && capabilities.contains(.inputs)
    takesAttachments = capabilities.contains(.attachments)
    let isLocal = place == .thisMachine
    keepsOutbox =
      (isLocal || place == .unproved && isBelieved) && opensOurFiles
      && capabilities.contains(.outbox)
    isStandard = isLocal && capabilities.contains(.teardown)
    sealsStream = !isProved && capabilities.contains(.checksum)
    holdsTimeouts = !isProved && capabilities.isSuperset(of: [.teardown, .timeout])
    isLeased = !isProved && capabilities.isSuperset(of: [.checksum, .lease, .window])
    answersPings = capabilities.contains(.ping)
    tellsTail = capabilities.contains(.tail)
    marksPrinted = dividesText && capabilities.contains(.marks)
    writesInTurn = dividesText && !marksPrinted && !capabilities.contains(.prefetch)
  }
}

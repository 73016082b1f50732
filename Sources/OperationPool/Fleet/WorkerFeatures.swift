import PoolWire

/// What a worker can do beyond the minimal profile; nothing before its `hello`.
struct WorkerFeatures: Hashable {
  /// Whether inputs may be given to it as files.
  var takesInputFiles = false
  /// Whether payloads may be blocks beside the JSON.
  var takesBlocks = false
  /// Whether it keeps unsent bytes in an outbox, where they are found after its death.
  var keepsOutbox = false
  /// Whether this is a worker of commands alone, with a guardian where the system has the means.
  var isStandard = false
  /// Whether it marks what its operations print.
  var marksPrinted = false
  /// Whether all that it has written when it answers is of what it answers: it has one operation at
  /// a time, and no marks.
  var writesInTurn = false

  /// Nothing.
  init() {}

  /// What its capabilities allow, where this process can open its files and divides what it prints.
  init(_ capabilities: Set<Capability>, areFilesShared: Bool, dividesText: Bool) {
    takesInputFiles = areFilesShared && capabilities.contains(.inputs)
    takesBlocks = capabilities.contains(.blocks)
    keepsOutbox = areFilesShared && capabilities.contains(.outbox)
    isStandard = areFilesShared && capabilities.contains(.teardown)
    marksPrinted = dividesText && capabilities.contains(.marks)
    writesInTurn = dividesText && !marksPrinted && !capabilities.contains(.prefetch)
  }
}

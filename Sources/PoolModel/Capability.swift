/// What a worker can do beyond the minimal profile; checked by name, never by version.
package enum Capability: String, Hashable, Sendable, CaseIterable {
  /// It accepts operations beyond the one that it executes, and executes them in order.
  case prefetch
  /// It gives back prefetched operations on `recall`.
  case recall
  /// It ends an executing operation on `cancel`, by the teardown sequence in the message.
  case cancel
  /// It takes each step of that teardown sequence itself, and survives it.
  case teardown
  /// It answers `ping` while it executes.
  case ping
  /// It ends on `drain` after its last operation.
  case drain
  /// It leaves large outputs in its open files until they are released; local workers only.
  case files
  /// It passes inputs to its operations, also those in files of this machine.
  case inputs
  /// It keeps unsent bytes in memory that the coordinator reads if the worker dies.
  case outbox
  /// It takes payloads, and gives results, in attachments of bytes beside the JSON.
  case attachments
  /// It marks the end of each operation's text in its standard error.
  case marks
  /// It says what a command has written while that executes.
  case tail
  /// It puts its frames into blocks with checksums, and takes such.
  case checksum
  /// It ends a command itself when its time is over.
  case timeout
  /// It ends, with all that it executes, when its lease is over.
  case lease
  /// It stops and continues commands on request, and lives on meanwhile.
  case stop
  /// It sends no more of what operations write and remark than the coordinator has room for.
  case window
}

extension Set<Capability> {
  /// Whether a worker takes each step of a teardown sequence itself, and survives it.
  package var takesSteps: Bool { isSuperset(of: [.cancel, .teardown]) }
}

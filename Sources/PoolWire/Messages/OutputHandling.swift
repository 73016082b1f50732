/// How the outputs of a command are handled.
package enum OutputHandling: String, Hashable, Sendable {
  /// They are kept until the command has ended.
  case kept
  /// They are sent in pieces while it executes.
  case live
  /// The command writes to the coordinator's own streams, if its worker has inherited them; else
  /// like `live`.
  case direct
}

/// The coordinator's own output streams, open in a worker that inherited them.
package struct InheritedStreams: Hashable, Sendable {
  package var output: Int32
  package var error: Int32

  package init(output: Int32, error: Int32) {
    self.output = output
    self.error = error
  }
}

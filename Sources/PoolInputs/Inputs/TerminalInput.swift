import PoolSystem

/// Standard input that a person types, who may not know that it is read.
package enum TerminalInput {
  /// Tells the user that the terminal is read, if the input is one; the subject contains its verb,
  /// such as `inputs are`.
  package static func announce(_ subject: String) {
    guard Descriptors.isTerminal(0) else { return }
    CurrentProcess.complain("opool: \(subject) read from the terminal; Ctrl-D ends that")
  }
}

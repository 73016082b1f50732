import PoolSystem

/// Standard input that a person types, who may not know that it is read.
enum TerminalInput {
  /// Says that it is read, if it is a terminal; the subject has its verb, such as `inputs are`.
  static func announce(_ subject: String) {
    guard Descriptors.isTerminal(0) else { return }
    CurrentProcess.complain("opool: \(subject) read from the terminal; Ctrl-D ends that")
  }
}

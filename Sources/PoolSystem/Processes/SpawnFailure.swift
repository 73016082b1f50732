/// Why a program could not be started.
package struct SpawnFailure: Error, Hashable {
  /// The program or the folder that could not be used, as it was named.
  package var subject: [UInt8]
  /// The reason, in a few words.
  package var reason: String
  /// Whether the program was not found; false if it was found and refused.
  package var isMissing: Bool
  /// Whether the system lacked a resource to start it.
  package var isShortage: Bool

  /// The folder to execute in cannot be entered.
  init(cwd folder: [UInt8], reason: String) {
    self.init(subject: Array("cwd: ".utf8) + folder, reason: reason)
  }

  package init(
    subject: [UInt8],
    reason: String,
    isMissing: Bool = false,
    isShortage: Bool = false
  ) {
    self.subject = subject
    self.reason = reason
    self.isMissing = isMissing
    self.isShortage = isShortage
  }
}

extension SpawnFailure: CustomStringConvertible {
  package var description: String { "\(String(decoding: subject, as: UTF8.self)): \(reason)" }
}

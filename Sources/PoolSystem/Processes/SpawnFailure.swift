/// Why a program could not be started.
package struct SpawnFailure: Error, Hashable {
  /// What could not be used: the program or the folder, as it was named.
  package var subject: [UInt8]
  /// Why, in a few words.
  package var reason: String
  /// Whether the program was not found, rather than found and refused.
  package var isMissing: Bool
  /// Whether the system had too little of something to start it.
  package var isShortage: Bool

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

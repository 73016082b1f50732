/// Arguments that make no sense: what is wrong, where, and what may help.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, as a sentence without its full stop.
  package var message: String
  /// The argument that is meant, as it was given.
  package var argument: [UInt8]?
  /// What to write instead.
  package var hint: String?
  /// Which help explains it.
  package var topic: HelpTopic

  package init(
    _ message: String,
    argument: [UInt8]? = nil,
    hint: String? = nil,
    topic: HelpTopic = .general
  ) {
    self.message = message
    self.argument = argument
    self.hint = hint
    self.topic = topic
  }

  /// The same error in the words of another subcommand.
  func about(_ topic: HelpTopic) -> Self {
    var copy = self
    copy.topic = topic
    return copy
  }
}

extension UsageError: CustomStringConvertible {
  /// The lines for the standard error, without the last line's end.
  package var description: String {
    var text = "opool: " + message
    if let argument { text += ": '\(Printable.text(argument))'" }
    if let hint { text += "\n       " + hint }
    return text + "\n       '\(topic.command) --help' explains the options"
  }
}

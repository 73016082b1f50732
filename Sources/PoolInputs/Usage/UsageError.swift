import PoolModel

/// An error in the arguments: the problem, its place, and a hint.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  package var message: String
  /// The wrong argument, as given.
  package var argument: [UInt8]?
  /// What to write instead.
  package var hint: String?
  /// The help text that explains it.
  package var topic: HelpTopic
  /// The command whose help that is, where several have the same one; nil for the topic's own.
  package var command: String?

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
}

extension UsageError: CustomStringConvertible {
  /// The lines for standard error, without the last line feed.
  package var description: String {
    var text = "opool: " + message
    if let argument { text += ": '\(Printable.name(argument))'" }
    if let hint { text += "\n       " + hint }
    return text + "\n       '\(command ?? topic.command) --help' explains the options"
  }
}

import PoolInputs

/// The arguments of the subcommands that ask or steer a run.
package struct AskOptions: Hashable, Sendable {
  /// The process of the run; nil for the only one.
  package var process: Int32?
  /// Whether to ask again until the run has ended.
  package var isWatching = false
  /// Whether to go on until the operation has ended.
  package var isFollowing = false
  /// Whether to print JSON.
  package var printsJSON = false
  /// The file of records that is asked instead of a run.
  package var file: [UInt8]?

  package init() {}

  static func parse(status arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: .status)
    let (operands, invocation) = try reader.operands()
    if let invocation { return invocation }
    if let operand = operands.first {
      throw UsageError("opool status takes no such argument", argument: operand, topic: .status)
    }
    return .status(reader.asking)
  }

  static func parse(explain arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    try parse(arguments, of: .explain) { .explain($0, $1) }
  }

  static func parse(output arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    try parse(arguments, of: .output) { .output($0, $1) }
  }

  /// The arguments of a subcommand that tells of one operation.
  private static func parse(
    _ arguments: [[UInt8]],
    of topic: HelpTopic,
    _ make: ([UInt8], AskOptions) -> Invocation
  ) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: topic)
    let (operands, invocation) = try reader.operands()
    if let invocation { return invocation }
    if operands.count > 1 {
      throw UsageError("more than one operation", argument: operands[1], topic: topic)
    }
    guard let id = operands.first, !id.isEmpty else {
      throw UsageError("\(topic.command) needs the id of an operation", topic: topic)
    }
    let options = reader.asking
    if options.file != nil, options.process != nil {
      throw UsageError("--from asks a file, and --run a run", topic: topic)
    }
    if options.file != nil, options.isFollowing {
      throw UsageError("--follow asks a run, and --from a file", topic: topic)
    }
    return make(id, options)
  }
}

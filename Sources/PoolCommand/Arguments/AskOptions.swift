import PoolInputs

/// The arguments of `opool status` and `opool explain`.
package struct AskOptions: Hashable, Sendable {
  /// The process of the run; nil for the only one.
  package var process: Int32?
  /// Whether to ask again until the run has ended.
  package var isWatching = false
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
    var reader = OptionReader(arguments, topic: .explain)
    let (operands, invocation) = try reader.operands()
    if let invocation { return invocation }
    if operands.count > 1 {
      throw UsageError("more than one operation", argument: operands[1], topic: .explain)
    }
    guard let id = operands.first, !id.isEmpty else {
      throw UsageError("opool explain needs the id of an operation", topic: .explain)
    }
    let options = reader.asking
    if options.file != nil, options.process != nil {
      throw UsageError("--from asks a file, and --run a run", topic: .explain)
    }
    return .explain(id, options)
  }
}

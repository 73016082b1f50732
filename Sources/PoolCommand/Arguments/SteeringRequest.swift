import PoolInputs
import PoolModel
import PoolReports
import PoolText

/// What a run is asked to do.
package enum SteeringRequest: Hashable, Sendable {
  /// Identifiers of operations and groups, UTF-8; never empty.
  case cancel([[UInt8]])
  case scale(Int)
  case pause
  case unpause

  /// The question to the run.
  var subject: RunQuestion.Subject {
    switch self {
    case .cancel(let ids): .cancel(ids)
    case .scale(let width): .scale(width)
    case .pause: .pause
    case .unpause: .unpause
    }
  }
}

extension AskOptions {
  static func parse(cancel arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: .steering)
    let (ids, invocation) = try reader.operands()
    if let invocation { return invocation }
    guard !ids.isEmpty else {
      throw UsageError("opool cancel needs the id of an operation or group", topic: .steering)
    }
    for id in ids where id.isEmpty || String(validating: id, as: UTF8.self) == nil {
      throw UsageError("this is no id: it is not UTF-8, or empty", argument: id, topic: .steering)
    }
    let length = ids.reduce(0) { $0 + $1.count + 3 }
    guard length < RunQuestion.limit / 2 else {
      throw UsageError("too many ids for one question; name a group instead", topic: .steering)
    }
    return .steer(.cancel(ids), reader.asking)
  }

  static func parse(scale arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    // No option is a digit: it is a number below zero.
    if let number = arguments.first(where: isNegative) { throw widthError(number) }
    var reader = OptionReader(arguments, topic: .steering)
    let (operands, invocation) = try reader.operands()
    if let invocation { return invocation }
    guard let operand = operands.first, operands.count == 1 else {
      throw UsageError("opool scale needs one number", topic: .steering)
    }
    guard let width = DecimalParser.integer(operand), (1...WidthRequest.limit).contains(width)
    else { throw widthError(operand) }
    return .steer(.scale(width), reader.asking)
  }

  private static func isNegative(_ argument: [UInt8]) -> Bool {
    argument.first == UInt8(ascii: "-") && DecimalParser.integer(Array(argument.dropFirst())) != nil
  }

  private static func widthError(_ argument: [UInt8]) -> UsageError {
    UsageError(
      "opool scale needs a number from 1 to \(WidthRequest.limit)",
      argument: argument,
      topic: .steering
    )
  }

  static func parse(
    _ request: SteeringRequest,
    _ arguments: [[UInt8]]
  ) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: .steering)
    let (operands, invocation) = try reader.operands()
    if let invocation { return invocation }
    if let operand = operands.first {
      let word = request == .pause ? "pause" : "unpause"
      throw UsageError("opool \(word) takes no such argument", argument: operand, topic: .steering)
    }
    return .steer(request, reader.asking)
  }
}

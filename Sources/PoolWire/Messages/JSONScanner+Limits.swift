import PoolModel

extension JSONScanner {
  /// Consumes the limits of an operation's outputs; an output without a limit is kept whole.
  mutating func outputLimits() throws(JSONError) -> OutputLimits {
    var (output, error) = (OutputLimit.none, OutputLimit.none)
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "stdout") {
        output = try outputLimit()
      } else if matches(key, "stderr") {
        error = try outputLimit()
      } else {
        _ = try skipValue()
      }
    }
    return OutputLimits(output: output, error: error)
  }

  /// Consumes a time limit; nil if it has no time or no steps.
  mutating func timeLimit() throws(JSONError) -> TimeLimit? {
    var after: Int64?
    var steps: PoolTeardownSequence?
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "after") {
        after = try integer()
      } else if matches(key, "steps") {
        steps = try teardown()
      } else {
        _ = try skipValue()
      }
    }
    guard let after, let steps, after >= 0 else { return nil }
    return TimeLimit(nanoseconds: .microseconds(after), teardown: steps)
  }

  /// Consumes one limit; it is none if it has no bytes, or says nothing known of what is beyond.
  private mutating func outputLimit() throws(JSONError) -> OutputLimit {
    var byteCount: Int?
    var fails: Bool?
    var isFirst = true
    try beginObject()
    while let key = try nextField(&isFirst) {
      if matches(key, "bytes") {
        byteCount = try integer()
      } else if matches(key, "excess") {
        let excess = try scanString()
        fails = matches(excess, "fail") ? true : matches(excess, "truncate") ? false : nil
      } else {
        _ = try skipValue()
      }
    }
    guard let byteCount, let fails else { return .none }
    return OutputLimit(byteCount: byteCount, fails: fails)
  }
}

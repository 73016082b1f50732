import PoolModel

/// The fields that a message may have, as they were read: each is nil until it was seen.
///
/// One reader serves both directions, because the fields mean the same in every message. Unknown
/// fields are checked and skipped. A message then takes what it needs with ``require(_:_:)``.
struct MessageFields {
  var type: JSONStringRange?
  var operation: UInt64?
  var dispatch: UInt64?
  var attempt: Int?
  var kind: String?
  var qualityOfService: PoolQualityOfService?
  var payload: Range<Int>?
  var result: Range<Int>?
  var failure: Failure?
  var usage: PoolResourceUsage?
  var standardOutput: OutputReference?
  var standardError: OutputReference?
  var rung: String?
  var pid: Int32?
  var group: Int32?
  var completed: Int64?
  var total: Int64?
  var message: String?
  var stream: String?
  var bytes: [UInt8]?
  var number: UInt64?
  var versions: [Int]?
  var kinds: [String]?
  var slots: Int?
  var capabilities: [String]?
  var version: Int?
  var worker: UInt32?
  var frameLimit: Int?
  var acceptsFiles: Bool?
  var ladder: PoolTerminationLadder?

  /// Reads all fields of the object that the scanner is at.
  init(_ scanner: inout JSONScanner) throws(JSONError) {
    try scanner.beginObject()
    var isFirst = true
    while let key = try scanner.nextKey(&isFirst) {
      if try readHot(key, &scanner) { continue }
      if try readAnswer(key, &scanner) { continue }
      if try readReport(key, &scanner) { continue }
      if try readHandshake(key, &scanner) { continue }
      _ = try scanner.skipValue()
    }
    try scanner.expectEnd()
  }

  /// The fields of almost every message; told apart by length first.
  @inline(__always)
  private mutating func readHot(
    _ key: JSONStringRange,
    _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    if scanner.matches(key, "type") {
      type = try scanner.scanString()
    } else if scanner.matches(key, "operation") {
      operation = try scanner.integer()
    } else if scanner.matches(key, "dispatch") {
      dispatch = try scanner.integer()
    } else if scanner.matches(key, "attempt") {
      attempt = try scanner.integer()
    } else if scanner.matches(key, "kind") {
      kind = try scanner.string()
    } else if scanner.matches(key, "payload") {
      payload = try scanner.skipValue()
    } else if scanner.matches(key, "result") {
      result = try scanner.skipValue()
    } else {
      return false
    }
    return true
  }

  private mutating func readAnswer(
    _ key: JSONStringRange,
    _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    if scanner.matches(key, "usage") {
      usage = try scanner.usage()
    } else if scanner.matches(key, "stdout") {
      standardOutput = try scanner.output()
    } else if scanner.matches(key, "stderr") {
      standardError = try scanner.output()
    } else if scanner.matches(key, "error") {
      failure = try scanner.failure()
    } else if scanner.matches(key, "rung") {
      rung = try scanner.string()
    } else if scanner.matches(key, "qos") {
      qualityOfService = PoolQualityOfService(name: try scanner.string()) ?? .default
    } else {
      return false
    }
    return true
  }

  private mutating func readReport(
    _ key: JSONStringRange,
    _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    if scanner.matches(key, "pid") {
      pid = try scanner.integer()
    } else if scanner.matches(key, "group") {
      group = try scanner.integer()
    } else if scanner.matches(key, "completed") {
      completed = try scanner.integer()
    } else if scanner.matches(key, "total") {
      total = try scanner.integer()
    } else if scanner.matches(key, "message") {
      message = try scanner.string()
    } else if scanner.matches(key, "stream") {
      stream = try scanner.string()
    } else if scanner.matches(key, "bytes") {
      bytes = try scanner.byteText()
    } else if scanner.matches(key, "number") {
      number = try scanner.integer()
    } else {
      return false
    }
    return true
  }

  private mutating func readHandshake(
    _ key: JSONStringRange,
    _ scanner: inout JSONScanner
  ) throws(JSONError) -> Bool {
    if scanner.matches(key, "versions") {
      versions = try scanner.list { scanner throws(JSONError) in try scanner.integer() }
    } else if scanner.matches(key, "kinds") {
      kinds = try scanner.list { scanner throws(JSONError) in try scanner.string() }
    } else if scanner.matches(key, "capabilities") {
      capabilities = try scanner.list { scanner throws(JSONError) in try scanner.string() }
    } else if scanner.matches(key, "slots") {
      slots = try scanner.integer()
    } else if scanner.matches(key, "version") {
      version = try scanner.integer()
    } else if scanner.matches(key, "worker") {
      worker = try scanner.integer()
    } else if scanner.matches(key, "frameLimit") {
      frameLimit = try scanner.integer()
    } else if scanner.matches(key, "files") {
      acceptsFiles = try scanner.bool()
    } else if scanner.matches(key, "ladder") {
      ladder = try scanner.ladder()
    } else {
      return false
    }
    return true
  }

  /// The value of a field that the message cannot do without.
  @inline(__always)
  func require<Value>(
    _ value: Value?,
    _ field: String,
    in message: String
  ) throws(Violation) -> Value {
    guard let value else { throw .field(field, inMessage: message) }
    return value
  }

  /// The dispatch that the message is about.
  @inline(__always)
  func reference(in message: String) throws(Violation) -> DispatchReference {
    DispatchReference(
      operation: OperationID(rawValue: try require(operation, "operation", in: message)),
      dispatch: DispatchNumber(rawValue: try require(dispatch, "dispatch", in: message))
    )
  }

  /// The answer's fields; both `result` and `error` may be absent.
  var answer: (JSONScanner) -> Answer {
    { scanner in
      Answer(
        result: result.map { Array(scanner.slice($0)) },
        failure: failure,
        usage: usage,
        standardOutput: standardOutput,
        standardError: standardError
      )
    }
  }
}

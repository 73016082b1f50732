import PoolModel
package import PoolWire

extension JournalRecord {
  /// Reads the body of a record, whose type comes first; unknown fields are skipped.
  package init(json: UnsafeRawBufferPointer) throws(JSONError) {
    var scanner = JSONScanner(json)
    var fields = JournalFields()
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) { try fields.take(key, from: &scanner) }
    try scanner.expectEnd()
    switch fields.type {
    case "opened": self = .opened(try fields.opening())
    case "settled": self = .settled(try fields.settlement())
    default: self = .unknown
    }
  }
}

/// The fields of all types of records, before it is known which are demanded.
private struct JournalFields {
  private(set) var type = ""
  private var epoch: UInt64?
  private var processID: Int32?
  private var time: Int64?
  private var key: ContentDigest?
  private var id: [UInt8]?
  private var ending: PoolEnding?
  private var cause: String?
  private var exit: Int32?
  private var signal: Int32?
  private var attempt = 0
  private var usage: PoolResourceUsage?
  private var duration: Int64?
  private var outputByteCount: Int64 = 0
  private var errorByteCount: Int64 = 0
  private var message: String?

  mutating func take(
    _ key: JSONStringRange,
    from scanner: inout JSONScanner
  ) throws(JSONError) {
    guard type == "opened" || type == "settled" else { return try takeType(key, from: &scanner) }
    switch scanner.text(of: key) {
    case "epoch": epoch = try scanner.integer()
    case "pid": processID = try scanner.integer()
    case "time": time = try scanner.integer()
    case "key": self.key = ContentDigest(hex: scanner.content(of: try scanner.scanString()))
    case "id": id = scanner.content(of: try scanner.scanString())
    case "ending": ending = PoolEnding(name: try scanner.string())
    default: try takeDetail(key, from: &scanner)
    }
  }

  /// Of a type that is not known nobody can say what its fields are.
  private mutating func takeType(
    _ key: JSONStringRange,
    from scanner: inout JSONScanner
  ) throws(JSONError) {
    if type.isEmpty, scanner.matches(key, "type") {
      type = try scanner.string()
    } else {
      _ = try scanner.skipValue()
    }
  }

  private mutating func takeDetail(
    _ key: JSONStringRange,
    from scanner: inout JSONScanner
  ) throws(JSONError) {
    switch scanner.text(of: key) {
    case "attempt": attempt = try scanner.integer()
    case "cause": cause = try scanner.string()
    case "exit": exit = try scanner.integer()
    case "signal": signal = try scanner.integer()
    case "usage": usage = try scanner.usage()
    case "duration": duration = try scanner.integer()
    case "stdoutBytes": outputByteCount = try scanner.integer()
    case "stderrBytes": errorByteCount = try scanner.integer()
    case "message": message = try scanner.string()
    default: _ = try scanner.skipValue()
    }
  }

  func opening() throws(JSONError) -> JournalOpening {
    // The next owner's epoch is one more: there must be one.
    guard let epoch, epoch < .max, let processID, let time else {
      throw JSONError(.expected("an opening with epoch, pid and time"), at: 0)
    }
    return JournalOpening(epoch: epoch, processID: processID, time: time)
  }

  func settlement() throws(JSONError) -> JournalSettlement {
    guard let epoch, let key, let id, let ending else {
      throw JSONError(.expected("a settlement with epoch, key, id and ending"), at: 0)
    }
    return JournalSettlement(
      epoch: epoch,
      key: key,
      id: id,
      ending: ending,
      cause: cause,
      exit: exit,
      signal: signal,
      attempt: attempt,
      usage: usage,
      duration: duration,
      outputByteCount: outputByteCount,
      errorByteCount: errorByteCount,
      message: message
    )
  }
}

extension PoolEnding {
  fileprivate init?(name: String) {
    guard let ending = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = ending
  }
}

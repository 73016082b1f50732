import PoolEvents
import PoolModel
import PoolSystem
package import PoolWire

extension JournalRecord {
  /// Decodes the body of a record, whose type comes first; skips unknown fields.
  package init(json: UnsafeRawBufferPointer) throws(JSONError) {
    var scanner = JSONScanner(json)
    var fields = JournalFields()
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) { try fields.take(key, from: &scanner) }
    try scanner.expectEnd()
    switch fields.type {
    case "opened": self = .opened(try fields.opening())
    case "settled": self = .settled(try fields.end())
    case "voided": self = .voided(try fields.voiding())
    case "sent": self = .sent(try fields.sending())
    case "returned": self = .returned(try fields.returned())
    case "printed": self = .printed(try fields.printing())
    case "synced": self = .synced(end: try fields.syncedEnd())
    case "target": self = .target(try fields.targetUse())
    case "marked": self = .marked(try fields.mark())
    case let type: self = RunRecord.shortTypes.contains(type) ? .fact : .unknown
    }
  }
}

/// The fields of all types of records, before it is known which ones are required.
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
  private var lease: Int?
  private var usage: PoolResourceUsage?
  private var duration: Int64?
  private var outputByteCount: Int64 = 0
  private var errorByteCount: Int64 = 0
  private var message: String?
  private var boot: [UInt8]?
  private var run: RunIdentifier?
  private var keyVersion: Int?
  private var folder: [UInt8]?
  private var takesOtherFolders = false
  private var outputs: [ClosedRange<UInt32>] = []
  private var syncEnd: Int?
  private var kept: KeptOutput?
  private var started: Int64?
  private var operation: Int?
  private var errorType: String?
  private var errorCode: Int32?
  private var target: UInt32?
  private var role: UInt8 = 0
  private var device: UInt64?
  private var inode: UInt64?
  private var length: Int64?
  private var tail = 0
  private var checksum: UInt32 = 0

  private static let knownTypes: Set<String> = [
    "opened", "settled", "voided", "sent", "returned", "printed", "synced", "target", "marked",
  ]

  mutating func take(
    _ key: JSONStringRange,
    from scanner: inout JSONScanner
  ) throws(JSONError) {
    guard Self.knownTypes.contains(type) else { return try takeType(key, from: &scanner) }
    switch scanner.text(of: key) {
    case "epoch": epoch = try scanner.epoch()
    case "pid": processID = try scanner.integer()
    case "time": time = try scanner.integer()
    case "key": self.key = ContentDigest(hex: scanner.content(of: try scanner.scanString()))
    case "id": id = scanner.content(of: try scanner.scanString())
    case "ending": ending = PoolEnding(name: try scanner.string())
    default: try takeDetail(key, from: &scanner)
    }
  }

  /// The fields of an unknown type are unknown, too.
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
    case "attempt": attempt = try scanner.count()
    case "cause": cause = try scanner.string()
    case "exit": exit = try scanner.integer()
    case "signal": signal = try scanner.integer()
    case "usage": usage = try scanner.usage()
    case "duration": duration = try scanner.count()
    case "stdoutBytes": outputByteCount = try scanner.count()
    case "stderrBytes": errorByteCount = try scanner.count()
    case "message": message = try scanner.string()
    case "boot": boot = scanner.content(of: try scanner.scanString())
    case "run": run = RunIdentifier(hex: scanner.content(of: try scanner.scanString()))
    case "keys": keyVersion = try scanner.integer()
    case "folder": folder = try scanner.byteText()
    case "sameFolder": takesOtherFolders = try scanner.bool()
    case "outputs": outputs = try scanner.numberRanges()
    case "end": syncEnd = try scanner.count()
    case "kept": kept = try scanner.keptOutput()
    case "started": started = try scanner.integer()
    case "operation": operation = try scanner.count()
    case "errorType": errorType = try scanner.string()
    case "errorCode": errorCode = try scanner.integer()
    case "lease": lease = try scanner.count()
    default: try takeTarget(key, from: &scanner)
    }
  }

  private mutating func takeTarget(
    _ key: JSONStringRange,
    from scanner: inout JSONScanner
  ) throws(JSONError) {
    switch scanner.text(of: key) {
    case "target": target = try scanner.integer()
    case "role": role = try scanner.integer()
    case "device": device = try scanner.integer()
    case "inode": inode = try scanner.integer()
    case "length": length = try scanner.count()
    case "tail": tail = try scanner.integer()
    case "checksum": checksum = try scanner.integer()
    default: _ = try scanner.skipValue()
    }
  }

  func targetUse() throws(JSONError) -> JournalTargetUse {
    guard let epoch, let target, target > 0, target < .max, let extent = try extent() else {
      throw JSONError(.expected("a target with epoch, number and length"), at: 0)
    }
    var file: FileNumber?
    if let device, let inode { file = FileNumber(device: device, inode: inode) }
    let role = TargetRoles(rawValue: role)
    return JournalTargetUse(epoch: epoch, JournalTarget(number: target, role, file, extent))
  }

  func mark() throws(JSONError) -> JournalMark {
    guard let epoch, let target else {
      throw JSONError(.expected("a mark with epoch and target"), at: 0)
    }
    return JournalMark(target: target, epoch: epoch, outputs: outputs, extent: try extent())
  }

  private func extent() throws(JSONError) -> TargetExtent? {
    guard let length else { return nil }
    guard 0 <= tail, tail <= TargetExtent.tailLimit, tail <= length else {
      throw JSONError(.expected("a length, and a tail within it"), at: 0)
    }
    return TargetExtent(length: length, tailCount: tail, checksum: checksum)
  }

  func opening() throws(JSONError) -> JournalOpening {
    guard let epoch, let processID, let time else {
      throw JSONError(.expected("an opening with epoch, pid and time"), at: 0)
    }
    var opening = JournalOpening(
      epoch: epoch,
      processID: processID,
      time: time,
      boot: boot,
      run: run,
      keyVersion: keyVersion
    )
    (opening.folder, opening.takesOtherFolders) = (folder, takesOtherFolders)
    return opening
  }

  func voiding() throws(JSONError) -> JournalVoiding {
    guard let epoch, let key else {
      throw JSONError(.expected("a voided outcome, with epoch and key"), at: 0)
    }
    return JournalVoiding(epoch: epoch, key: key)
  }

  func sending() throws(JSONError) -> JournalSending {
    guard let epoch, let key, let lease else {
      throw JSONError(.expected("what was sent, with epoch, key and lease"), at: 0)
    }
    let terms = LeaseTerms(length: .milliseconds(lease))
    return JournalSending(epoch: epoch, key: key, attempt: max(attempt, 1), lease: terms)
  }

  func returned() throws(JSONError) -> JournalReturn {
    guard let epoch, let key else {
      throw JSONError(.expected("what has come back, with epoch and key"), at: 0)
    }
    return JournalReturn(epoch: epoch, key: key)
  }

  func printing() throws(JSONError) -> JournalPrinting {
    guard let epoch else { throw JSONError(.expected("printed outputs, with an epoch"), at: 0) }
    return JournalPrinting(epoch: epoch, outputs: outputs)
  }

  func syncedEnd() throws(JSONError) -> Int {
    guard let end = syncEnd else { throw JSONError(.expected("a synced offset"), at: 0) }
    return end
  }

  func end() throws(JSONError) -> JournalEnd {
    guard let epoch, let key, let id, let ending else {
      throw JSONError(.expected("a settlement with epoch, key, id and ending"), at: 0)
    }
    let start = started.map { min(max($0, 0), Int64.max / 1_000_000) * 1_000_000 }
    let record = EndRecord(
      number: 0,
      ending: ending,
      cause: cause.flatMap(PoolFailureCause.init(rawValue:)),
      exit: exit,
      signal: signal,
      attempt: attempt,
      usage: usage,
      outputByteCount: outputByteCount,
      errorByteCount: errorByteCount,
      errorType: errorType,
      errorCode: errorCode,
      message: message,
      earlier: EndRecord.Earlier(start: start, duration: duration.map { .microseconds($0) })
    )
    var end = JournalEnd(epoch: epoch, key: key, id: id, record, startingAt: start, kept: kept)
    end.number = operation.map { $0 - 1 }
    return end
  }
}

extension JSONScanner {
  /// Longer than any file, and small enough that sums of a few such numbers do not overflow.
  private static let countLimit: Int64 = 1 << 61

  /// Reads the number of an owner; a later owner can have the next one.
  fileprivate mutating func epoch() throws(JSONError) -> UInt64 {
    UInt64(try count() as Int64)
  }

  /// Reads a number of things, bytes or microseconds.
  fileprivate mutating func count<Number: FixedWidthInteger>() throws(JSONError) -> Number {
    let start = position
    let value: Int64 = try integer()
    guard (0..<Self.countLimit).contains(value), let count = Number(exactly: value) else {
      throw JSONError(.expected("a number from 0 to 2^61"), at: start)
    }
    return count
  }

  /// Reads pairs of numbers: the first and the last of each range.
  fileprivate mutating func numberRanges() throws(JSONError) -> [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    try beginArray()
    while try hasElement(&isFirst) {
      let first: UInt32 = try integer()
      guard try hasElement(&isFirst) else { break }
      let last: UInt32 = try integer()
      guard first <= last else { throw JSONError(.expected("a range of numbers"), at: 0) }
      ranges.append(first...last)
    }
    return ranges
  }

  fileprivate mutating func keptOutput() throws(JSONError) -> KeptOutput {
    var fields = KeptFields()
    var isFirst = true
    try beginObject()
    while let key = try nextKey(&isFirst) { try fields.take(key, from: &self) }
    return try fields.kept()
  }
}

/// The fields of a kept output.
private struct KeptFields {
  private var number: UInt32?
  private var output: [UInt8] = []
  private var error: [UInt8] = []
  private var offset: Int64?
  private var counts: (output: Int64, error: Int64) = (0, 0)
  private var checksum: UInt32 = 0
  private var result: [UInt8]?
  private var resultCount: Int64?
  private var readers = TargetRoles.streams.rawValue

  mutating func take(
    _ key: JSONStringRange,
    from scanner: inout JSONScanner
  ) throws(JSONError) {
    switch scanner.text(of: key) {
    case "number": number = try scanner.integer()
    case "stdout": output = try scanner.byteText()
    case "stderr": error = try scanner.byteText()
    case "offset": offset = try scanner.count()
    case "stdoutBytes": counts.output = try scanner.count()
    case "stderrBytes": counts.error = try scanner.count()
    case "checksum": checksum = try scanner.integer()
    case "result": result = try scanner.byteText()
    case "resultBytes": resultCount = try scanner.count()
    case "readers": readers = try scanner.integer()
    default: _ = try scanner.skipValue()
    }
  }

  func kept() throws(JSONError) -> KeptOutput {
    guard let number else { throw JSONError(.expected("a kept output"), at: 0) }
    var kept = KeptOutput(number: number, .record(output: output, error: error))
    kept.readers = TargetRoles(rawValue: readers)
    guard let offset else {
      kept.result = result
      return kept
    }
    var place = KeptOutput.FilePlace(
      offset: offset,
      outputCount: counts.output,
      errorCount: counts.error,
      checksum: checksum
    )
    place.resultCount = resultCount
    kept.place = .file(place)
    return kept
  }
}

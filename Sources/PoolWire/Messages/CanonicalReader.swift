import PoolModel

/// Reads a message in exactly the form that this implementation writes.
///
/// Nearly all traffic is three messages whose fields have one order and no spaces. Comparing them
/// with that text costs a fifth of scanning them. Anything else is left to the scanner, which also
/// finds the errors of a wrong body.
struct CanonicalReader {
  private var scanner: JSONScanner

  init(_ body: UnsafeRawBufferPointer) {
    scanner = JSONScanner(body)
  }

  /// Consumes this text; false if another text follows.
  @inline(__always)
  mutating func take(_ text: StaticString) -> Bool {
    let (start, count) = (scanner.position, text.utf8CodeUnitCount)
    guard scanner.bytes.count - start >= count, scanner.holds(text, at: start) else { return false }
    scanner.position = start + count
    return true
  }

  /// Consumes these bytes; false if other bytes follow, or if there are none.
  @inline(__always)
  mutating func take(_ known: [UInt8]) -> Bool {
    let end = scanner.position + known.count
    guard !known.isEmpty, scanner.bytes.count >= end, scanner.holds(known, at: scanner.position)
    else { return false }
    scanner.position = end
    return true
  }

  /// Consumes the text between the reference and the payload of an `execute`, which is mostly equal
  /// to the one before.
  @inline(__always)
  mutating func takeMiddle(_ known: inout ExecuteMiddle) -> Bool {
    take(known.bytes) || takeOther(&known)
  }

  private mutating func takeOther(_ known: inout ExecuteMiddle) -> Bool {
    let start = scanner.position
    guard take(",\"attempt\":"), let attempt = takeNumber(), attempt <= Int.max,
      take(",\"kind\":"), let kind = takeString(), take(",\"payload\":")
    else { return false }
    return known.keep(Int(attempt), kind, from: scanner.slice(start..<scanner.position))
  }

  /// Consumes the reference of the dispatch.
  @inline(__always)
  mutating func takeReference() -> DispatchReference? {
    guard take(",\"operation\":"), let operation = takeNumber(),
      take(",\"dispatch\":"), let dispatch = takeNumber()
    else { return nil }
    return DispatchReference(
      operation: OperationID(rawValue: operation),
      dispatch: DispatchNumber(rawValue: dispatch)
    )
  }

  /// Consumes a whole number without a sign.
  @inline(__always)
  mutating func takeNumber() -> UInt64? {
    let (bytes, start) = (scanner.bytes, scanner.position)
    var (value, index) = (UInt64(0), start)
    // Most numbers have fewer than eight digits, and more text behind them.
    if start + 8 <= bytes.count {
      let word = UnsafeRawBufferPointer(bytes)
        .loadUnaligned(fromByteOffset: start, as: UInt64.self)
      let (number, count) = Self.leadingDigits(of: UInt64(littleEndian: word))
      value = number
      index += count
    }
    if index == start || index == start + 8 {
      // Nineteen digits cannot overflow.
      let end = min(bytes.count, start + 19)
      while index < end {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        value = value &* 10 &+ UInt64(digit)
        index += 1
      }
    }
    let count = index - start
    guard count == 1 || count > 1 && bytes[start] != UInt8(ascii: "0") else { return nil }
    // If this is only a part of a number, the text that must follow does not match.
    scanner.position = index
    return value
  }

  /// The number that eight characters begin with, and how many digits it has.
  ///
  /// Three multiplications add pairs of digits, then pairs of these, then both halves.
  @inline(__always)
  private static func leadingDigits(of word: UInt64) -> (number: UInt64, count: Int) {
    let digits = word ^ 0x3030_3030_3030_3030
    // The lowest bit set is exact; above it, a carry may set more.
    let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    let count = others.trailingZeroBitCount / 8
    // Zeros precede the first digit, which is the lowest byte.
    let padded = digits << (64 - 8 * count)
    let pairs = padded &* 10 &+ padded >> 8
    let mask: UInt64 = 0x0000_00FF_0000_00FF
    let first = (pairs & mask) &* (100 + 1_000_000 << 32)
    let second = (pairs >> 16 & mask) &* (1 + 10_000 << 32)
    return ((first &+ second) >> 32, count)
  }

  /// Consumes a string.
  mutating func takeString() -> String? {
    guard scanner.position < scanner.bytes.count, scanner.bytes[scanner.position] == .quote
    else { return nil }
    return try? scanner.string()
  }

  /// Consumes a value of any kind, checks it, and copies it.
  mutating func takeValue() -> [UInt8]? {
    if take("null") { return MessageFields.null }
    guard let range = try? scanner.skipValue() else { return nil }
    return Array(scanner.slice(range))
  }

  /// Consumes the variables of a command, if it has any; nil if they are wrong.
  @inline(__always)
  mutating func takeVariables() -> ExecutionVariables? {
    take(",\"variables\":") ? try? ExecutionVariables(from: &scanner) : ExecutionVariables.none
  }

  /// Consumes the process of a command, if it is there; else what follows does not match.
  @inline(__always)
  mutating func takeProcessGroup() -> ProcessGroup? {
    guard take(",\"pid\":"), let pid = takeNumber().flatMap(Int32.init(exactly:)),
      take(",\"group\":"), let group = takeNumber().flatMap(Int32.init(exactly:))
    else { return nil }
    return ProcessGroup(pid: pid, group: group)
  }

  /// Consumes the usage of a command.
  mutating func takeUsage() -> PoolResourceUsage? {
    guard take("{\"user\":"), let user = takeNumber(), let user = Int64(exactly: user),
      take(",\"system\":"), let system = takeNumber(), let system = Int64(exactly: system),
      take(",\"peak\":"), let peak = takeNumber(), let peak = Int64(exactly: peak), take("}")
    else { return nil }
    return PoolResourceUsage(
      userMicroseconds: user,
      systemMicroseconds: system,
      peakMemoryBytes: peak
    )
  }

  /// Consumes the rest of an answer with only a result, or a usage with the elapsed time.
  @inline(__always)
  mutating func takeAnswer() -> Answer? {
    if take(",\"result\":") { return takeValue().map { Answer(result: $0) } }
    guard take(",\"usage\":") else { return nil }
    guard let usage = takeUsage() else { return nil }
    guard take(",\"elapsed\":") else { return Answer(usage: usage) }
    return takeNumber().flatMap { Int64(exactly: $0) }.map { Answer(usage: usage, elapsed: $0) }
  }

  /// Whether only the end of the object and of the line follows.
  @inline(__always)
  mutating func takeEnd() -> Bool {
    take("}\n") && scanner.position == scanner.bytes.count
  }
}

extension WorkerMessage {
  /// Reads an `executing` or `finished` in its usual form; nil for other messages.
  @inline(__always)
  package init?(canonical body: UnsafeRawBufferPointer) {
    var text = CanonicalReader(body)
    if text.take("{\"type\":\"executing\"") {
      guard let reference = text.takeReference() else { return nil }
      if text.takeEnd() {
        self = .executing(reference, nil)
      } else {
        guard let group = text.takeProcessGroup(), text.takeEnd() else { return nil }
        self = .executing(reference, group)
      }
    } else if text.take("{\"type\":\"finished\"") {
      guard let reference = text.takeReference(), let answer = text.takeAnswer(), text.takeEnd()
      else { return nil }
      self = .finished(reference, answer)
    } else {
      return nil
    }
  }
}

extension Execute {
  /// Reads an `execute` in its usual form; nil for other messages.
  @inline(__always)
  init?(canonical body: UnsafeRawBufferPointer, _ middle: inout ExecuteMiddle) {
    var text = CanonicalReader(body)
    guard text.take("{\"type\":\"execute\""), let reference = text.takeReference(),
      text.takeMiddle(&middle), let payload = text.takeValue(),
      let variables = text.takeVariables(), text.takeEnd()
    else { return nil }
    self.init(
      reference: reference,
      attempt: middle.attempt,
      kind: middle.kind,
      payload: payload,
      surroundings: variables.isEmpty ? nil : .of(variables: variables)
    )
  }
}

extension CoordinatorMessage {
  /// Reads an `execute` in its usual form; nil for other messages.
  package init?(canonical body: UnsafeRawBufferPointer) {
    var middle = ExecuteMiddle()
    guard let execute = Execute(canonical: body, &middle) else { return nil }
    self = .execute(execute)
  }
}

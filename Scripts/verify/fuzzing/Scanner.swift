import Foundation
import PoolWire

/// The scanner and Foundation's `JSONSerialization` take the same texts, and read the same values.
///
/// They differ on purpose, and nowhere else, in what `JSONFuzzTests` shows: Foundation reads other
/// encodings than UTF-8, and a byte order mark; it lets objects and arrays end with a comma; it
/// refuses numbers that no double holds, whose text the scanner only passes on; and it rounds those
/// of more digits than a double has to 38 digits first.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: bytes, count: count)
  guard !hasOtherEncoding(input) else { return 0 }
  let theirs = try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
  do throws(JSONError) {
    var scanner = JSONScanner(input)
    _ = try scanner.skipValue()
    try scanner.expectEnd()
    compare(input, theirs)
  } catch {
    guard theirs != nil else { return 0 }
    precondition(isTrailingComma(error, in: input), "\(error), but not there: \(text(input))")
  }
  return 0
}

/// What Foundation takes for another encoding: a byte order mark, or a zero among the first bytes.
private func hasOtherEncoding(_ input: UnsafeRawBufferPointer) -> Bool {
  let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
  return input.prefix(4).contains(0) || marks.contains { input.starts(with: $0) }
}

/// Whether the scanner misses a key where the object ends, or a value where the array does.
private func isTrailingComma(_ error: JSONError, in input: UnsafeRawBufferPointer) -> Bool {
  guard error.offset < input.count else { return false }
  let missing: [UInt8: JSONError.Reason] = [
    UInt8(ascii: "}"): .expected("a key in double quotes"),
    UInt8(ascii: "]"): .expected("a JSON value"),
  ]
  return missing[input[error.offset]] == error.reason
    && input[..<error.offset].last { $0 > 0x20 } == UInt8(ascii: ",")
}

private func compare(_ input: UnsafeRawBufferPointer, _ theirs: Any?) {
  do throws(Difference) {
    var reader = Reader(scanner: JSONScanner(input))
    let mine = try reader.value()
    guard let theirs else {
      precondition(reader.hasHugeNumber, "accepted, but not there: \(text(input))")
      return
    }
    try mine.demandEqual(to: theirs)
  } catch {
    preconditionFailure("\(error.what) in \(text(input))")
  }
}

private func text(_ input: UnsafeRawBufferPointer) -> String {
  String(decoding: input, as: UTF8.self)
}

private struct Difference: Error {
  var what: String
}

/// A value as the scanner reads it.
private indirect enum Value {
  case null
  case bool(Bool)
  case number(text: String)
  case string(String)
  case array([Value])
  case object([String: Value])

  func demandEqual(to theirs: Any) throws(Difference) {
    let isEqual =
      switch self {
      case .null: theirs is NSNull
      case .bool(let value): (theirs as? Bool) == value
      case .number(let text): Self.isNumber(theirs, text)
      case .string(let value): (theirs as? String).map { Array($0.utf8) } == Array(value.utf8)
      case .array(let values): (theirs as? [Any])?.count == values.count
      case .object(let values): (theirs as? [String: Any])?.count == values.count
      }
    guard isEqual else { throw Difference(what: "\(self) here, \(theirs) there") }
    try demandEqualMembers(in: theirs)
  }

  private func demandEqualMembers(in theirs: Any) throws(Difference) {
    if case .array(let values) = self, let theirs = theirs as? [Any] {
      for (mine, their) in zip(values, theirs) { try mine.demandEqual(to: their) }
    }
    if case .object(let values) = self, let theirs = theirs as? [String: Any] {
      for (key, mine) in values {
        guard let their = theirs[key] else { throw Difference(what: "'\(key)' is not there") }
        try mine.demandEqual(to: their)
      }
    }
  }

  /// Whole numbers are equal to the last digit as long as 64 bits hold them.
  private static func isNumber(_ theirs: Any, _ text: String) -> Bool {
    guard let number = theirs as? NSNumber else { return false }
    if let whole = Int64(text) { return number.int64Value == whole }
    if let whole = UInt64(text) { return number.uint64Value == whole }
    guard let mine = Double(text), let theirs = Double("\(number)") else { return false }
    return mine == theirs || number is NSDecimalNumber && abs(mine - theirs) <= mine.ulp
  }
}

private struct Reader {
  var scanner: JSONScanner
  /// Whether there is a number that no double holds.
  var hasHugeNumber = false

  mutating func value() throws(Difference) -> Value {
    do throws(JSONError) {
      return try read()
    } catch {
      throw Difference(what: "'\(error)' after all was skipped without a word")
    }
  }

  private mutating func read() throws(JSONError) -> Value {
    switch try scanner.token() {
    case .null:
      try scanner.null()
      return .null
    case .bool: return .bool(try scanner.bool())
    case .number: return try number()
    case .string: return .string(try scanner.string())
    case .array: return try array()
    case .object: return try object()
    }
  }

  private mutating func number() throws(JSONError) -> Value {
    let text = String(decoding: scanner.slice(try scanner.skipValue()), as: UTF8.self)
    if Double(text)?.isFinite != true { hasHugeNumber = true }
    return .number(text: text)
  }

  private mutating func array() throws(JSONError) -> Value {
    var values: [Value] = []
    var isFirst = true
    try scanner.beginArray()
    while try scanner.hasElement(&isFirst) { values.append(try read()) }
    return .array(values)
  }

  private mutating func object() throws(JSONError) -> Value {
    var values: [String: Value] = [:]
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) { values[scanner.text(of: key)] = try read() }
    return .object(values)
  }
}

import Foundation
import PoolWire

/// What the coder of values decodes, Foundation's decodes to the same value; the first byte chooses
/// the type.
///
/// The other direction does not hold: what the coder leaves to Foundation is no difference.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let json = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
  switch bytes[0] % 5 {
  case 0: compare(Item.self, json)
  case 1: compare([Item].self, json)
  case 2: compare([String: Int].self, json)
  case 3: compare([[Double?]].self, json)
  default: compare(String.self, json)
  }
  return 0
}

private struct Item: Decodable, Equatable {
  var name: String
  var number: Int
  var ratio: Double?
  var flag: Bool?
  var small: UInt8?
  var words: [String]?
  var inner: [Item]?
}

/// No type has a form of its own.
private let noTypes = ForeignTypes(
  includes: { _ in false },
  form: { _ in nil },
  value: { _, _ in nil }
)

/// Used for one value after another, as in a worker.
nonisolated(unsafe) private var decoder = SerialDecoder(foreign: noTypes)

private func compare<Value: Decodable & Equatable>(_ type: Value.Type, _ json: [UInt8]) {
  let series = try? decoder.value(type, from: json)
  let alone = PlainCoder.decode(type, from: json, foreign: noTypes)
  precondition(series == alone, "in a series \(text(series)), alone \(text(alone)): \(text(json))")
  guard let alone, !PackedValue.isPacked(json) else { return }
  let theirs = try? JSONDecoder().decode(type, from: Data(json))
  precondition(theirs != nil, "not there: \(text(json))")
  // Foundation rounds numbers of many digits twice.
  guard !json.split(whereSeparator: { !isDigit($0) }).contains(where: { $0.count > 17 }) else {
    return
  }
  precondition(theirs == alone, "\(text(theirs)) there, \(alone) here: \(text(json))")
}

private func isDigit(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func text(_ value: some Any) -> String { String(describing: value) }

private func text(_ json: [UInt8]) -> String { String(decoding: json, as: UTF8.self) }

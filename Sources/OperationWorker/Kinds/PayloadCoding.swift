import PoolWire
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts users' values to JSON and back: the only place where a worker needs Foundation.
package enum PayloadCoding {
  /// Decodes a value.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8]
  ) throws -> Value {
    // Moved out meanwhile, because the value's own code may come here again, and other threads do.
    var series = kept.withLock { $0.take() } ?? DecodingSeries()
    defer { kept.withLock { $0 = series } }
    return try series.decode(type, from: json)
  }

  /// Memory of the last value, for the next one.
  private static let kept = Mutex<DecodingSeries?>(nil)

  private static func decodeByFoundation<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8]
  ) throws -> Value {
    if PackedValue.isPacked(json) { return try decode(type, from: PackedValue.json(json)) }
    return try JSONDecoder().decode(type, from: Data(json))
  }

  /// Encodes a value; Foundation's coder throws if the value nests too deep for a message.
  ///
  /// It may become a packed value where the caller allows it.
  package static func encode<Value: Encodable>(
    _ value: Value,
    packs: Bool = false
  ) throws -> [UInt8] {
    // `NoOutput` is the most common output, and needs no encoder.
    if Value.self == NoOutput.self { return null }
    if let json = PlainCoder.encode(value, foreign: foreignTypes, packs: packs) {
      return json
    }
    return Array(try JSONEncoder().encode(value))
  }

  /// Encodes values one after another, on one thread, in the same memory; they may be packed.
  package struct Series {
    /// Made for the first value, because most operations have none to be encoded.
    private var encoder: SerialEncoder?

    package init() {}

    /// Encodes a value; throws what ``PayloadCoding/encode(_:packs:)`` throws.
    package mutating func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
      if Value.self == NoOutput.self { return null }
      if encoder == nil { encoder = SerialEncoder(foreign: foreignTypes, packs: true) }
      let json = encoder?.encode(value)
      // After these, the encoder would hold parts of the value, or a text of any size.
      if json.map(PackedValue.isPacked) ?? true { encoder = nil }
      return try json ?? Array(JSONEncoder().encode(value))
    }
  }

  /// Decodes values one after another, on one thread at a time, in the same memory.
  ///
  /// `@unchecked Sendable`: nothing else refers to its decoder between two values.
  struct DecodingSeries: @unchecked Sendable {
    private var decoder = SerialDecoder(foreign: foreignTypes)

    /// Decodes a value; throws what ``PayloadCoding/decode(_:from:)`` throws.
    mutating func decode<Value: Decodable>(
      _ type: Value.Type,
      from json: [UInt8]
    ) throws -> Value {
      do {
        return try decoder.value(type, from: json)
      } catch {
        return try decodeByFoundation(type, from: json)
      }
    }
  }

  /// Throws unless the bytes are one JSON value.
  static func check(_ json: [UInt8], kind: String) throws {
    guard json != null else { return }
    do {
      try JSONScanner.check(json)
    } catch {
      throw PayloadError(message: "the result of '\(kind)' is not JSON: \(error)")
    }
  }

  /// The JSON of `NoOutput`; a literal, which has no reference count.
  static let null: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]
}

/// A payload or a result that is not valid.
struct PayloadError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}

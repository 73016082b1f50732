import PoolWire

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Users' own values to JSON and back: the one place where a worker needs Foundation.
package enum PayloadCoding {
  /// Reads a value; the error names the kind whose payload it is.
  static func decode<Value: Decodable>(
    _ type: Value.Type,
    from payload: [UInt8],
    kind: String
  ) throws -> Value {
    do {
      return try decode(type, from: payload)
    } catch {
      throw PayloadError(message: "the payload is no '\(kind)': \(error)")
    }
  }

  /// Reads a value.
  package static func decode<Value: Decodable>(
    _ type: Value.Type,
    from json: [UInt8]
  ) throws -> Value {
    if let value = PlainCoder.decode(type, from: json, foreign: isFoundations) { return value }
    return try JSONDecoder().decode(type, from: Data(json))
  }

  /// Writes a value; Foundation's coder throws where that would nest too deep for a message.
  package static func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    // Nothing is the most common output, and needs no encoder.
    if value is NoOutput { return null }
    if let json = PlainCoder.encode(value, foreign: isFoundations) { return json }
    return Array(try JSONEncoder().encode(value))
  }

  /// Whether Foundation's coders write a type in another way than its own code does.
  private static func isFoundations(_ type: Any.Type) -> Bool {
    type == Data.self || type == URL.self || type == Decimal.self
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

  /// The JSON of nothing; a literal, to which nobody counts references.
  static let null: [UInt8] = [0x6E, 0x75, 0x6C, 0x6C]
}

/// A payload or a result that is not what it should be.
struct PayloadError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}

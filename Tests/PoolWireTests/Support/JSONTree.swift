import PoolWire

/// An object's fields, each value as its text: enough to spoil one of them.
struct JSONTree {
  var fields: [String: String] = [:]

  init(_ body: [UInt8]) throws(JSONError) {
    fields = try body.scanned { scanner throws(JSONError) in
      var fields: [String: String] = [:]
      var isFirst = true
      try scanner.beginObject()
      while let key = try scanner.nextKey(&isFirst) {
        let value = try scanner.skipValue()
        fields[scanner.text(of: key)] = String(decoding: scanner.slice(value), as: UTF8.self)
      }
      try scanner.expectEnd()
      return fields
    }
  }

  /// The object, in the order of its keys.
  var bytes: [UInt8] {
    let texts = fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return Array("{\(texts.joined(separator: ","))}".utf8)
  }
}

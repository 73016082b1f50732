/// The Foundation types that are not written by their own `Codable` code, and their JSON forms.
///
/// The plain coder handles them itself, so that one such value does not require Foundation's coder
/// for the whole. If a closure returns nil, Foundation's coder is used after all.
///
/// A class, because each value is coded with a copy, and copying three closures costs more.
package final class ForeignTypes: Sendable {
  /// What such a value is written as.
  package enum Form {
    /// This number of bytes, as base64; the closure passes them on.
    case bytes(Int, (_ body: (UnsafeRawBufferPointer) -> Void) -> Void)
    case text(String)
    /// Any JSON, checked.
    case json([UInt8])
  }

  /// Whether a type is a foreign one.
  let includes: @Sendable (Any.Type) -> Bool
  /// The form of a value of such a type.
  let form: @Sendable (any Encodable) -> Form?
  /// The value of such a type.
  let value: @Sendable (any Decodable.Type, ForeignSource) -> (any Decodable)?

  package init(
    includes: @escaping @Sendable (Any.Type) -> Bool,
    form: @escaping @Sendable (any Encodable) -> Form?,
    value: @escaping @Sendable (any Decodable.Type, ForeignSource) -> (any Decodable)?
  ) {
    self.includes = includes
    self.form = form
    self.value = value
  }
}

/// The text that a value of a foreign type is read from.
package struct ForeignSource {
  let text: ParsedText
  let index: Int

  /// The string; nil if the text is not one.
  package var string: String? {
    let entry = text.entries[index]
    return entry.kind == .string ? text.string(at: index) : nil
  }

  /// The decoded bytes; nil if the text is not a base64 string.
  package var bytes: [UInt8]? {
    let entry = text.entries[index]
    if entry.part >= 0 { return text.bytes(of: entry) }
    guard entry.kind == .string else { return nil }
    // Foundation escapes "/".
    if entry.hasEscapes {
      var escaped = text.string(at: index)
      return escaped.withUTF8 { Base64.decode($0) }
    }
    let content = text.bytes.withUnsafeBufferPointer {
      Base64.decode(UnsafeBufferPointer(rebasing: $0[entry.range]))
    }
    // Base64 is ASCII.
    if content != nil { text.noteChecked(index) }
    return content
  }

  /// The whole text of the value.
  package var json: [UInt8] { Array(text.bytes[text.entries[index].fullRange]) }
}

/// The types that have a form of Foundation's instead of their own, and their forms.
///
/// They are written and read here within any other value, so that one of them does not leave the
/// whole to Foundation's coder. Where a closure returns nil, it does.
package struct ForeignTypes: Sendable {
  /// What such a value is written as.
  package enum Form {
    /// So many bytes, as base64; the closure passes them on.
    case bytes(Int, (_ body: (UnsafeRawBufferPointer) -> Void) -> Void)
    case text(String)
    /// Any JSON, checked.
    case json([UInt8])
  }

  /// Whether a type is one of them.
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

  /// No type at all.
  package static let none = Self(
    includes: { _ in false },
    form: { _ in nil },
    value: { _, _ in nil }
  )
}

/// The text that a value of a foreign type is read from.
package struct ForeignSource {
  let text: ParsedText
  let index: Int

  /// It as a string; nil if it is none.
  package var string: String? {
    let entry = text.entries[index]
    return entry.kind == .string ? text.string(entry) : nil
  }

  /// Its bytes; nil if it is no string of base64.
  package var bytes: [UInt8]? {
    let entry = text.entries[index]
    if entry.part >= 0 { return text.bytes(of: entry) }
    guard entry.kind == .string else { return nil }
    // Foundation escapes "/".
    if entry.hasEscapes {
      var escaped = text.string(entry)
      return escaped.withUTF8 { Base64.decode($0) }
    }
    return text.bytes.withUnsafeBufferPointer {
      Base64.decode(UnsafeBufferPointer(rebasing: $0[entry.range]))
    }
  }

  /// It as a whole.
  package var json: [UInt8] { Array(text.bytes[text.entries[index].fullRange]) }
}

/// The name of a resource, units of which operations hold while they execute.
package struct ResourceName: Hashable, Sendable {
  /// The field that defines it; a category and a limit of one name are two resources.
  package enum Source: Hashable, Sendable {
    /// A category of mutual exclusion, which has one unit.
    case exclusive
    case limit
  }

  package var source: Source
  /// UTF-8.
  package var text: [UInt8]

  package init(_ source: Source, _ text: [UInt8]) {
    (self.source, self.text) = (source, text)
  }

  /// What it is called: `limit 'net'`, `exclusive 'disk'`.
  ///
  /// The name is as it was defined: code that shows it escapes it.
  package var words: String { "\(word) '\(String(decoding: text, as: UTF8.self))'" }

  /// The field's name.
  package var word: StaticString {
    switch source {
    case .exclusive: "exclusive"
    case .limit: "limit"
    }
  }
}

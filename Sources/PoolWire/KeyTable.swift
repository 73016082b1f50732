/// Values by the keys that JSON has for them.
///
/// Finding one looks at those of the key's length alone.
package struct KeyTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var name: [UInt8]
    var value: Value
  }

  /// By the length of the names.
  private let entries: [[Entry]]

  /// Makes a table of values, each of which has one name.
  package init(_ values: some Sequence<Value>, named name: (Value) -> String) {
    var entries: [[Entry]] = []
    for value in values {
      let name = Array(name(value).utf8)
      while entries.count <= name.count { entries.append([]) }
      entries[name.count].append(Entry(name: name, value: value))
    }
    self.entries = entries
  }

  /// The value of a key; nil where there is none of that name.
  package func value(of key: JSONStringRange, in scanner: JSONScanner) -> Value? {
    if key.hasEscapes {
      let name = scanner.content(of: key)
      return entries.joined().first { $0.name == name }?.value
    }
    guard key.range.count < entries.count else { return nil }
    return entries[key.range.count]
      .first { scanner.holds($0.name, at: key.range.lowerBound) }?.value
  }
}

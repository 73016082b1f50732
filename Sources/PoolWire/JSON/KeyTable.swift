/// Values by the keys that JSON has for them.
///
/// Finding one looks at those of the key's length alone.
package struct KeyTable<Value: Sendable>: Sendable {
  private let values: [Value]
  private let names: KeyNames

  /// Makes a table of values, each of which has one name.
  package init(_ values: some Sequence<Value>, named name: (Value) -> String) {
    self.values = Array(values)
    names = KeyNames(self.values.map { Array(name($0).utf8) })
  }

  /// The value of a key; nil where there is none of that name.
  package func value(of key: JSONStringRange, in scanner: JSONScanner) -> Value? {
    names.index(of: key, in: scanner).map { values[$0] }
  }
}

/// The names of a table; apart from its values, so that the compiler knows all types where it looks
/// for one.
private struct KeyNames {
  private struct Entry {
    var name: [UInt8]
    var index: Int
  }

  /// By the length of the names.
  private var entries: [[Entry]] = []

  init(_ names: [[UInt8]]) {
    for (index, name) in names.enumerated() {
      while entries.count <= name.count { entries.append([]) }
      entries[name.count].append(Entry(name: name, index: index))
    }
  }

  func index(of key: JSONStringRange, in scanner: JSONScanner) -> Int? {
    if key.hasEscapes {
      let name = scanner.content(of: key)
      return entries.joined().first { $0.name == name }?.index
    }
    guard key.range.count < entries.count else { return nil }
    for entry in entries[key.range.count] where scanner.holds(entry.name, at: key.range.lowerBound)
    {
      return entry.index
    }
    return nil
  }
}

/// Values by their JSON keys.
///
/// A lookup compares only keys of the same length.
package struct KeyTable<Value: Sendable>: Sendable {
  private let values: [Value]
  private let names: KeyNames

  /// Makes a table of values, each with one name.
  package init(_ values: some Sequence<Value>, named name: (Value) -> String) {
    self.values = Array(values)
    names = KeyNames(self.values.map { Array(name($0).utf8) })
  }

  /// The value of a key; nil for an unknown key.
  package func value(of key: JSONStringRange, in scanner: JSONScanner) -> Value? {
    names.index(of: key, in: scanner).map { values[$0] }
  }
}

/// The names of a table; not generic, so that the compiler knows all types in the lookup.
private struct KeyNames {
  private struct Entry {
    var name: [UInt8]
    var index: Int
  }

  /// Indexed by the length of the names.
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

/// Names, numbered in the order in which they first appear.
package struct NameTable<Name: Hashable & Sendable>: Sendable {
  private(set) var names: [Name] = []
  private var indices: [Name: UInt32] = [:]

  /// Starts with these names.
  init(_ names: [Name] = []) {
    for name in names { _ = index(of: name) }
  }

  var count: Int { names.count }

  /// The number of a name; adds a new name.
  mutating func index(of name: Name) -> Int {
    if let index = indices[name] { return Int(index) }
    indices[name] = UInt32(names.count)
    names.append(name)
    return names.count - 1
  }

  /// The number of a name; nil for an unknown name.
  func find(_ name: Name) -> Int? {
    indices[name].map { Int($0) }
  }
}

import PoolModel

/// What the lines of a manifest add to beside their own rows.
struct ManifestTables {
  var kinds = KindNames()
  /// What the operations come after, as it was written, in the order of the lines.
  var references: [DependencyReference] = []
}

/// A dependency before it is known which operation it names.
struct DependencyReference {
  /// In the line of the dependent.
  var id: TextSpan
  var requirement: PoolRequirement
}

/// The names of kinds, numbered in the order in which they first appear.
struct KindNames {
  static let limit = Int(UInt16.max)

  /// The kind of `run` and `shell` comes first.
  private(set) var names: [String]
  private var indices: [String: UInt16]

  init(command: String = "command") {
    names = [command]
    indices = [command: 0]
  }

  /// The number of a name; nil where there are too many.
  mutating func index(of name: String) -> UInt16? {
    if let index = indices[name] { return index }
    guard names.count < Self.limit else { return nil }
    let index = UInt16(names.count)
    names.append(name)
    indices[name] = index
    return index
  }
}

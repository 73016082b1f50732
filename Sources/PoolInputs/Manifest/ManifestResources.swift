import PoolModel

/// The resources of a manifest, numbered in the order in which they first appear.
package struct ManifestResources: Sendable {
  private var table = NameTable<ResourceName>()
  private var facts: [Facts] = []

  /// The properties of a resource beside its name.
  private struct Facts {
    var units: Int
    /// The first and last line that name it: they find contradictions and repetitions in O(1).
    var firstLine: UInt32
    var lastLine: UInt32
  }

  /// How a mention of a resource relates to earlier ones.
  enum Mention {
    case consistent(UInt32)
    /// The same line has named it already.
    case repeated
    /// An earlier line gives it another number of units.
    case contradictory(units: Int, line: UInt32)
  }

  var count: Int { facts.count }

  subscript(index: Int) -> ManifestResource {
    ManifestResource(table.names[index], units: facts[index].units)
  }

  /// Notes that a line names a resource.
  mutating func mention(_ resource: ManifestResource, on line: UInt32) -> Mention {
    let index = table.index(of: resource.name)
    if index == facts.count {
      facts.append(Facts(units: resource.units, firstLine: line, lastLine: line))
      return .consistent(UInt32(index))
    }
    if facts[index].lastLine == line { return .repeated }
    facts[index].lastLine = line
    guard facts[index].units == resource.units else {
      return .contradictory(units: facts[index].units, line: facts[index].firstLine)
    }
    return .consistent(UInt32(index))
  }
}

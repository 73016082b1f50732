/// Something that only so many operations may use at once.
package struct ManifestResource: Hashable, Sendable {
  /// What says so; a category and a limit of one name are two resources.
  package enum Source: Hashable, Sendable {
    /// A category of mutual exclusion, which has one unit.
    case exclusive
    case limit
  }

  /// What a resource is known by.
  package struct Name: Hashable, Sendable {
    package var source: Source
    /// UTF-8.
    package var text: [UInt8]

    package init(_ source: Source, _ text: [UInt8]) {
      self.source = source
      self.text = text
    }
  }

  package var name: Name
  /// How many operations may use it at once.
  package var units: Int

  package init(_ name: Name, units: Int = 1) {
    self.name = name
    self.units = units
  }
}

/// The resources of a manifest, numbered in the order in which they first appear.
struct ResourceTable: Sendable {
  private var table = NameTable<ManifestResource.Name>()
  private var facts: [Facts] = []

  /// What is known of a resource beside its name.
  private struct Facts {
    var units: Int
    /// The lines that name it: they tell contradictions and repetitions in O(1).
    var firstLine: UInt32
    var lastLine: UInt32
  }

  /// What a line that names a resource has to do with those before it.
  enum Mention {
    case consistent(UInt32)
    /// The same line has named it already.
    case repeated
    /// An earlier line says that it has another number of units.
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

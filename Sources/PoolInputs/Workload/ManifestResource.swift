/// A resource that only a limited number of operations may use at once.
package struct ManifestResource: Hashable, Sendable {
  /// The field that defines it; a category and a limit of one name are two resources.
  package enum Source: Hashable, Sendable {
    /// A category of mutual exclusion, which has one unit.
    case exclusive
    case limit
  }

  /// The name of a resource.
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
  /// Number of operations that may use it at once.
  package var units: Int

  package init(_ name: Name, units: Int = 1) {
    self.name = name
    self.units = units
  }
}

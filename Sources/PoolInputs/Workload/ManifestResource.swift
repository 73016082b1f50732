package import PoolModel

/// A resource that only a limited number of operations may use at once.
package struct ManifestResource: Hashable, Sendable {
  package var name: ResourceName
  /// Number of operations that may use it at once.
  package var units: Int

  package init(_ name: ResourceName, units: Int = 1) {
    self.name = name
    self.units = units
  }
}

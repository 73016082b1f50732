import PoolCore
package import PoolModel

/// An operation of a streamed manifest: its line, and the settings of that line.
///
/// It is dropped when the operation has ended.
package final class StreamedLine: Sendable {
  /// A manifest of this line alone, which reads its fields.
  let manifest: Manifest
  /// What it waits for: earlier operations.
  let dependencies: [(target: Int, requirement: PoolRequirement)]
  let claims: [Int]
  let slots: Int
  let teardown: PoolTeardownSequence?
  let retrySettings: RetrySettings
  package let isBarrier: Bool

  init(
    _ manifest: Manifest,
    _ dependencies: [(target: Int, requirement: PoolRequirement)],
    _ extras: ManifestExtras,
    isBarrier: Bool
  ) {
    self.manifest = manifest
    self.dependencies = dependencies
    self.isBarrier = isBarrier
    claims = extras.claims.elements.map { Int($0) }
    slots = extras.slots.elements.first.map { Int($0) } ?? 1
    retrySettings = RetrySettings(
      delay: extras.retryDelays.elements.first,
      condition: extras.retryConditionIndices.elements.first.map {
        extras.retryConditions.names[Int($0)]
      }
    )
    teardown = extras.teardownIndices.elements.first.map { extras.teardowns.names[Int($0)] }
  }

  /// Number of bytes of its text.
  package var byteCount: Int { manifest.text.count }
}

extension Manifest {
  /// A manifest of one line that was checked.
  package init(
    line: [UInt8],
    _ row: ManifestRow,
    _ kinds: NameTable<ConstrainedKind>,
    shell: [UInt8]?
  ) {
    text = line
    rows = [row]
    kindTable = kinds
    self.shell = shell
    extras = ManifestExtras()
    requirements = []
    dependencies = DependencyRows()
    order = Self.noOrder
  }

  private static let noOrder: DependencyOrder = {
    do {
      return try DependencyOrder(DependencyRows())
    } catch {
      preconditionFailure("where nothing waits there is no cycle")
    }
  }()
}

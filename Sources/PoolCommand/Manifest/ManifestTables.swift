import PoolModel

/// What the lines of a manifest add to beside their own rows.
struct ManifestTables {
  /// How many kinds there may be: a row keeps the number of its kind in 16 bits.
  static let kindLimit = Int(UInt16.max)

  /// The kind of `run` and `shell` comes first.
  var kinds = NameTable(["command"])
  /// What the operations come after, as it was written, in the order of the lines.
  var references: [DependencyReference] = []
  /// The fields that few lines have.
  var extras = ManifestExtras()
}

/// A dependency before it is known which operation it names.
struct DependencyReference {
  /// In the line of the dependent.
  var id: TextSpan
  var requirement: PoolRequirement
  /// Whether it is one of `inputs`, not of `after`.
  var isInput = false

  /// The field that it stands in.
  var field: ManifestField { isInput ? .inputs : .after }
}

/// The fields that few lines of a manifest have, beside the rows.
struct ManifestExtras: Sendable {
  /// Categories of mutual exclusion and limits.
  var resources = ResourceTable()
  /// The resources that an operation claims.
  var claims = SparseRows<UInt32>()
  /// How many places an operation takes, where it is more than one.
  var slots = SparseRows<UInt32>()
  var groups = NameTable<[UInt8]>()
  /// The group that an operation is a member of.
  var memberships = SparseRows<UInt32>()
  var inputs = SparseRows<ManifestInput>()
  /// How operations are made to end that say so themselves, by its number among ``teardowns``.
  var teardownIndices = SparseRows<UInt32>()
  var teardowns = NameTable<PoolTeardownSequence>()
  /// Nanoseconds that executions will likely take.
  var expectations = SparseRows<Int64>()
  /// The operations that are barriers.
  var barriers: [UInt32] = []

  /// Adds how the operation at hand is made to end.
  mutating func addTeardown(_ teardown: PoolTeardownSequence) {
    teardownIndices.append(UInt32(teardowns.index(of: teardown)))
  }

  /// Ends what an operation's line has added.
  mutating func endRow(of operation: Int, _ row: ManifestRow) {
    if row.traits.isBarrier { barriers.append(UInt32(operation)) }
    claims.endRow(of: operation)
    slots.endRow(of: operation)
    memberships.endRow(of: operation)
    inputs.endRow(of: operation)
    teardownIndices.endRow(of: operation)
    expectations.endRow(of: operation)
  }

  /// Forgets what a line has added that could not be read to its end.
  mutating func abandonRow() {
    claims.abandonRow()
    slots.abandonRow()
    memberships.abandonRow()
    inputs.abandonRow()
    teardownIndices.abandonRow()
    expectations.abandonRow()
  }
}

/// An output that an operation is given.
struct ManifestInput {
  /// Its name, in the line of the operation that is given it.
  var name: TextSpan
  /// Whose output it is; known when all lines have been read.
  var source = UInt32.max
}

import PoolModel

/// The tables that the lines of a manifest fill beside their own rows.
struct ManifestTables {
  /// Maximum number of kinds: a row stores the index of its kind in 16 bits.
  static let kindLimit = Int(UInt16.max)

  /// The kind of `run` and `shell` comes first.
  var kinds = NameTable([ConstrainedKind("command")])
  /// The dependencies as written, in the order of the lines.
  var references: [DependencyReference] = []
  /// The rare fields.
  var extras = ManifestExtras()
}

/// A dependency whose name is not resolved yet.
struct DependencyReference {
  /// Its name, in the line of the dependent.
  var id: TextSpan
  var requirement: PoolRequirement
  /// Whether it is from `inputs`, not from `after`.
  var isInput = false

  /// The field that names it.
  var field: ManifestField { isInput ? .inputs : .after }
}

/// The rare fields of a manifest, beside the rows.
struct ManifestExtras: Sendable {
  /// Categories of mutual exclusion and limits.
  var resources = ManifestResources()
  /// The resources that an operation claims.
  var claims = SparseRows<UInt32>()
  /// Number of slots that an operation takes, if more than one.
  var slots = SparseRows<UInt32>()
  var groups = NameTable<[UInt8]>()
  /// The group of an operation.
  var memberships = SparseRows<UInt32>()
  var inputs = SparseRows<ManifestInput>()
  /// The teardown sequences of operations, as indices into ``teardowns``.
  var teardownIndices = SparseRows<UInt32>()
  var teardowns = NameTable<PoolTeardownSequence>()
  /// Nanoseconds before the first retry.
  var retryDelays = SparseRows<Int64>()
  /// The failures that are retried, as indices into ``retryConditions``.
  var retryConditionIndices = SparseRows<UInt32>()
  var retryConditions = NameTable<RetryCondition>()
  /// Expected nanoseconds of executions.
  var expectations = SparseRows<Int64>()
  /// The operations that are barriers.
  var barriers: [UInt32] = []

  /// Adds the teardown sequence of the current operation.
  mutating func addTeardown(_ teardown: PoolTeardownSequence) {
    teardownIndices.append(UInt32(teardowns.index(of: teardown)))
  }

  /// Adds the failures that the current operation is retried after.
  mutating func addRetryCondition(_ condition: RetryCondition) {
    retryConditionIndices.append(UInt32(retryConditions.index(of: condition)))
  }

  /// Ends the lists of an operation's line.
  mutating func endRow(of operation: Int, _ row: ManifestRow) {
    if row.traits.isBarrier { barriers.append(UInt32(operation)) }
    claims.endRow(of: operation)
    slots.endRow(of: operation)
    memberships.endRow(of: operation)
    inputs.endRow(of: operation)
    teardownIndices.endRow(of: operation)
    retryDelays.endRow(of: operation)
    retryConditionIndices.endRow(of: operation)
    expectations.endRow(of: operation)
  }

  /// Drops the lists of a line that could not be read to its end.
  mutating func abandonRow() {
    claims.abandonRow()
    slots.abandonRow()
    memberships.abandonRow()
    inputs.abandonRow()
    teardownIndices.abandonRow()
    retryDelays.abandonRow()
    retryConditionIndices.abandonRow()
    expectations.abandonRow()
  }
}

/// An output that an operation takes as an input.
struct ManifestInput {
  /// Its name, in the line of the operation that takes it.
  var name: TextSpan
  /// The operation whose output it is; known after all lines were read.
  var source = UInt32.max
}

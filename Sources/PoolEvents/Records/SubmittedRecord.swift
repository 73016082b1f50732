package import PoolModel

/// An operation, or a group, is known: the one record with its texts.
package struct SubmittedRecord: Sendable {
  /// What the operation waits for.
  package struct Dependency: Hashable, Sendable {
    /// The number of the operation or group.
    package var number: Int
    package var requirement: PoolRequirement

    package init(_ number: Int, _ requirement: PoolRequirement) {
      (self.number, self.requirement) = (number, requirement)
    }
  }

  /// A resource, and how many operations may use it at once.
  package struct Claim: Hashable, Sendable {
    /// UTF-8.
    package var name: [UInt8]
    package var units: Int
    /// Whether it is a category of mutual exclusion; the other ones are limits.
    package var isExclusive: Bool

    package init(_ name: [UInt8], of units: Int, isExclusive: Bool = false) {
      (self.name, self.units, self.isExclusive) = (name, units, isExclusive)
    }

    /// What tells the resource from others.
    package var resource: ResourceName { ResourceName(isExclusive ? .exclusive : .limit, name) }
  }

  /// The number of the operation; groups are numbered behind all operations.
  package var number: Int
  package var description: OperationDescription
  /// Its idempotency key; nil where a journal does not say it.
  package var key: [UInt8]?
  /// Number of members; nil for an operation.
  package var memberCount: Int?
  /// UTF-8; nil for a group.
  package var kind: String?
  package var group: Int?
  package var priority = PoolQueuePriority.normal
  package var dependencies: [Dependency] = []
  package var claims: [Claim] = []
  package var slots = 1
  package var isBarrier = false
  /// Nanoseconds; nil for none.
  package var timeout: Int64?
  package var retries = 0
  /// Expected nanoseconds of an execution, if the workload states them.
  package var expected: Int64?

  package init(
    number: Int,
    _ description: OperationDescription,
    key: [UInt8]?,
    memberCount: Int? = nil
  ) {
    (self.number, self.description) = (number, description)
    (self.key, self.memberCount) = (key, memberCount)
  }
}

/// What an operation, or a group, is called; other records have only its number.
package struct OperationDescription: Sendable {
  /// UTF-8.
  package var id: [UInt8]
  /// For people, UTF-8.
  package var name: [UInt8]
  /// Its group, UTF-8.
  package var group: [UInt8]?
  /// The line of the manifest, if any.
  package var line: Int?
  /// The input of `opool map`.
  package var input: [UInt8]?
  /// The parts of that input, one for each source or column.
  package var inputs: [[UInt8]]?
  /// Its command as a shell would read it; nil for another kind.
  package var command: [UInt8]?

  package init(
    id: [UInt8],
    name: [UInt8]? = nil,
    group: [UInt8]? = nil,
    line: Int? = nil,
    input: [UInt8]? = nil,
    inputs: [[UInt8]]? = nil,
    command: [UInt8]? = nil
  ) {
    (self.id, self.name, self.group, self.line) = (id, name ?? id, group, line)
    (self.input, self.inputs, self.command) = (input, inputs, command)
  }
}

package import PoolModel

// The rare fields of operations.

extension Manifest {
  /// Number of resources: categories of mutual exclusion, and limits.
  package var resourceCount: Int { extras.resources.count }

  /// A resource by its number.
  package func resource(_ index: Int) -> ManifestResource { extras.resources[index] }

  /// The numbers of the resources that an operation needs one unit of, without duplicates.
  package func claims(of operation: Int) -> [Int] {
    extras.claims[operation].map { Int($0) }
  }

  /// Number of slots that an operation takes, at least 1.
  package func slots(of operation: Int) -> Int {
    extras.slots[operation].first.map { Int($0) } ?? 1
  }

  /// The teardown sequence of an operation; nil if its line has none.
  package func teardown(of operation: Int) -> PoolTeardownSequence? {
    extras.teardownIndices[operation].first.map { extras.teardowns.names[Int($0)] }
  }

  /// What the line of an operation says of its retries beside their number.
  package func retrySettings(of operation: Int) -> RetrySettings {
    RetrySettings(
      delay: extras.retryDelays[operation].first,
      condition: extras.retryConditionIndices[operation].first.map {
        extras.retryConditions.names[Int($0)]
      }
    )
  }

  /// The expected nanoseconds of an execution; nil if the line does not state them.
  package func expected(of operation: Int) -> Int64? {
    extras.expectations[operation].first
  }

  /// Whether an operation is a barrier: it waits for all earlier lines, and later lines wait for
  /// it.
  package func isBarrier(_ operation: Int) -> Bool {
    rows[operation].traits.isBarrier
  }

  /// Whether an operation may be executed again where it may have begun.
  package func isIdempotent(_ operation: Int) -> Bool {
    rows[operation].traits.isIdempotent
  }

  /// Number of barriers.
  package var barrierCount: Int { extras.barriers.count }

  /// Number of groups; among dependencies, group `n` has the number ``count`` + `n`.
  package var groupCount: Int { extras.groups.count }

  /// The name of a group, UTF-8.
  package func groupName(_ group: Int) -> [UInt8] { extras.groups.names[group] }

  /// The group of an operation.
  package func group(of operation: Int) -> Int? {
    extras.memberships[operation].first.map { Int($0) }
  }

  /// Calls the closure for each input of an operation: its name, UTF-8, and the operation whose
  /// output it is.
  package func forEachInput(of operation: Int, _ body: ([UInt8], Int) -> Void) {
    for input in extras.inputs[operation] {
      body(content(of: input.name, in: rows[operation]), Int(input.source))
    }
  }
}

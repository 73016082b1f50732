package import PoolModel

// What the fields that few lines have say of operations.

extension Manifest {
  /// How many resources there are: categories of mutual exclusion, and limits.
  package var resourceCount: Int { extras.resources.count }

  /// A resource, by its number.
  package func resource(_ index: Int) -> ManifestResource { extras.resources[index] }

  /// The numbers of the resources that an operation needs one unit of, each once.
  package func claims(of operation: Int) -> [Int] {
    extras.claims[operation].map { Int($0) }
  }

  /// How many places an operation takes, at least 1.
  package func slots(of operation: Int) -> Int {
    extras.slots[operation].first.map { Int($0) } ?? 1
  }

  /// How an operation is made to end; nil where its line does not say it.
  package func teardown(of operation: Int) -> PoolTeardownSequence? {
    extras.teardownIndices[operation].first.map { extras.teardowns.names[Int($0)] }
  }

  /// Nanoseconds that an execution will likely take; nil where its line does not say it.
  package func expected(of operation: Int) -> Int64? {
    extras.expectations[operation].first
  }

  /// Whether an operation waits for all lines before its own, and those after it wait for it.
  package func isBarrier(_ operation: Int) -> Bool {
    rows[operation].traits.isBarrier
  }

  /// How many barriers there are.
  package var barrierCount: Int { extras.barriers.count }

  /// How many groups there are; among dependencies, group `n` has the number ``count`` + `n`.
  package var groupCount: Int { extras.groups.count }

  /// The name of a group, UTF-8.
  package func groupName(_ group: Int) -> [UInt8] { extras.groups.names[group] }

  /// The group that an operation is a member of.
  package func group(of operation: Int) -> Int? {
    extras.memberships[operation].first.map { Int($0) }
  }

  /// Calls the closure with the name of each input of an operation, UTF-8, and the operation
  /// whose output it is.
  package func forEachInput(of operation: Int, _ body: ([UInt8], Int) -> Void) {
    for input in extras.inputs[operation] {
      body(content(of: input.name, in: rows[operation]), Int(input.source))
    }
  }
}

package import PoolContents
package import PoolCore
package import PoolModel
package import PoolWire

/// The numbered operations that the command executes, from a manifest or from the inputs of a map.
package protocol Workload: Sendable {
  /// Number of operations.
  var count: Int { get }
  /// The kinds that occur.
  var kinds: [ConstrainedKind] { get }
  /// The manifest's name, if any.
  var file: [UInt8]? { get }

  /// The identifier of an operation, UTF-8.
  func id(of operation: Int) -> [UInt8]
  /// The identifier that the user gave it; nil if it has only a number.
  func givenID(of operation: Int) -> [UInt8]?
  /// The name for people, UTF-8.
  func name(of operation: Int) -> [UInt8]
  /// The line of the manifest, if any.
  func line(of operation: Int) -> Int?
  /// Its action, on one line, for people.
  func actionText(of operation: Int) -> String
  /// Its input, if it has one in addition to its command.
  func input(of operation: Int) -> [UInt8]?
  /// The parts of that input, for which `{1}`, `{2}` and so on stand.
  func inputs(of operation: Int) -> [[UInt8]]?
  /// Number of bytes that a command gets as its standard input.
  func inputByteCount(of operation: Int) -> Int64
  /// The folders below a folder of results that its outputs go to, in the words of the user; nil
  /// for one that is named like its ``id(of:)``, which no other operation has.
  func resultsPath(of operation: Int) -> [[UInt8]]?
  /// What a tag of its lines is filled with.
  func tagInput(of operation: Int) -> TemplateInput
  /// The index of its kind in ``kinds``.
  func kindIndex(of operation: Int) -> Int
  /// The name of its kind: asked for each operation, so that it copies no list.
  func kindName(of operation: Int) -> String
  func priority(of operation: Int) -> PoolQueuePriority
  func timeout(of operation: Int) -> Int64?
  func retries(of operation: Int) -> Int?
  /// When and after which failures it is retried, as far as it differs from the run.
  func retrySettings(of operation: Int) -> RetrySettings
  /// Its teardown sequence; nil for that of the run.
  func teardown(of operation: Int) -> PoolTeardownSequence?
  /// Calls the closure for each dependency of the operation; from ``count`` on these are groups.
  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void)
  /// All operations, each after its dependencies; nil if that is the order of the numbers.
  var dependencyOrder: [UInt32]? { get }
  /// Everything that each operation waits for and, behind the operations, nodes that only join
  /// dependencies; nil if no operation waits.
  var graph: DependencyRows? { get }
  /// Expected nanoseconds of an execution; nil if the workload does not state them.
  func expected(of operation: Int) -> Int64?
  /// Bytes that differ for different programs; nil if the kind, or the workload, determines the
  /// program.
  func program(of operation: Int) -> [UInt8]?
  /// The message to the worker, without the inputs.
  func execution(of operation: Int) -> OperationExecution
  /// The digests of the pieces of its standard input, if its payload does not contain that.
  func inputDigests(of operation: Int) -> [ContentDigest]
  /// The operation has settled, and is not executed again: frees its input, and returns its size.
  func release(_ operation: Int) -> Int

  /// Number of resources.
  var resourceCount: Int { get }
  /// A resource by its number.
  func resource(_ index: Int) -> ManifestResource
  /// The numbers of the resources that the operation needs one unit of, without duplicates.
  func claims(of operation: Int) -> [Int]
  /// Number of slots that the operation takes, at least 1.
  func slots(of operation: Int) -> Int
  /// Whether the operation waits for all earlier ones, and later ones wait for it.
  func isBarrier(_ operation: Int) -> Bool
  /// Whether the operation may be executed again where it may have begun.
  func isIdempotent(_ operation: Int) -> Bool
  /// Number of groups.
  var groupCount: Int { get }
  /// The name of a group, UTF-8.
  func groupName(_ group: Int) -> [UInt8]
  /// The group of the operation.
  func group(of operation: Int) -> Int?
  /// Calls the closure for each input of the operation: its name, UTF-8, and the operation whose
  /// output it is, which is also a dependency.
  func forEachInput(of operation: Int, _ body: ([UInt8], Int) -> Void)
}

// The defaults: nothing special.
extension Workload {
  package func givenID(of operation: Int) -> [UInt8]? { nil }
  package func input(of operation: Int) -> [UInt8]? { nil }
  package func inputs(of operation: Int) -> [[UInt8]]? { nil }
  package func resultsPath(of operation: Int) -> [[UInt8]]? { nil }
  package func tagInput(of operation: Int) -> TemplateInput {
    TemplateInput([id(of: operation)], number: operation + 1)
  }
  package var dependencyOrder: [UInt32]? { nil }
  package var graph: DependencyRows? { nil }
  package func inputDigests(of operation: Int) -> [ContentDigest] { [] }
  package func expected(of operation: Int) -> Int64? { nil }
  package func release(_ operation: Int) -> Int { 0 }
  package func program(of operation: Int) -> [UInt8]? { nil }
  package func retrySettings(of operation: Int) -> RetrySettings { RetrySettings() }
  package func teardown(of operation: Int) -> PoolTeardownSequence? { nil }
  package var resourceCount: Int { 0 }
  package func resource(_ index: Int) -> ManifestResource {
    preconditionFailure("a workload without resources is asked for one")
  }
  package func claims(of operation: Int) -> [Int] { [] }
  package func slots(of operation: Int) -> Int { 1 }
  package func isBarrier(_ operation: Int) -> Bool { false }
  package func isIdempotent(_ operation: Int) -> Bool { false }
  package var groupCount: Int { 0 }
  package func groupName(_ group: Int) -> [UInt8] {
    preconditionFailure("a workload without groups is asked for one")
  }
  package func group(of operation: Int) -> Int? { nil }
  package func forEachInput(of operation: Int, _ body: ([UInt8], Int) -> Void) {}
}

extension Workload {
  /// Number of members of each group.
  package var memberCounts: [Int] {
    var counts = [Int](repeating: 0, count: groupCount)
    guard !counts.isEmpty else { return [] }
    for operation in 0..<count {
      if let group = group(of: operation) { counts[group] += 1 }
    }
    return counts
  }
}

extension Workload {
  /// The command of an operation as a shell would read it; nil for another kind.
  package func command(of operation: Int) -> [UInt8]? {
    commandPayload(of: operation).map { CommandLabel.line($0.action) }
  }

  package func inputByteCount(of operation: Int) -> Int64 {
    switch commandPayload(of: operation)?.standardInput {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let part): Int64(part.range?.count ?? 0)
    case nil: 0
    }
  }

  /// The kind of an operation, with the features that its machine must have.
  package func kind(of operation: Int) -> ConstrainedKind { kinds[kindIndex(of: operation)] }

  /// Whether an operation is a command.
  package func isCommand(_ operation: Int) -> Bool {
    kindName(of: operation) == CommandPayload.kind
  }

  package func commandPayload(of operation: Int) -> CommandPayload? {
    guard isCommand(operation) else { return nil }
    let execution = execution(of: operation)
    return execution.payload.withUnsafeBytes { try? CommandPayload(json: $0) }
  }
}

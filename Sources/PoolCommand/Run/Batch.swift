package import OperationPool
package import PoolCore
package import PoolJournal
package import PoolModel
import PoolWire

/// The numbered operations that the command executes, from a manifest or from the inputs of a map.
package protocol Batch: Sendable {
  /// Number of operations.
  var count: Int { get }
  /// The kinds that occur.
  var kindNames: [String] { get }
  /// The manifest's name, if any.
  var file: [UInt8]? { get }

  /// The identifier of an operation, UTF-8.
  func id(of operation: Int) -> [UInt8]
  /// The name for people, UTF-8.
  func name(of operation: Int) -> [UInt8]
  /// The line of the manifest, if any.
  func line(of operation: Int) -> Int?
  /// Its action, on one line, for people.
  func label(of operation: Int) -> String
  /// Its input, if it has one in addition to its command.
  func input(of operation: Int) -> [UInt8]?
  /// Number of bytes that a command gets as its standard input.
  func inputByteCount(of operation: Int) -> Int64
  /// The folders below a folder of results that its outputs go to, in the words of the user; nil
  /// for one that is named like its ``id(of:)``, which no other operation has.
  func resultsPath(of operation: Int) -> [[UInt8]]?
  /// What a tag of its lines is filled with.
  func tagInput(of operation: Int) -> TemplateInput
  /// The index of its kind in ``kindNames``.
  func kindIndex(of operation: Int) -> Int
  func priority(of operation: Int) -> PoolQueuePriority
  func timeout(of operation: Int) -> Int64?
  func retries(of operation: Int) -> Int?
  /// Its teardown sequence; nil for that of the run.
  func teardown(of operation: Int) -> PoolTeardownSequence?
  /// Calls the closure for each dependency of the operation; from ``count`` on these are groups.
  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void)
  /// All operations, each after its dependencies; nil if that is the order of the numbers.
  var dependencyOrder: [UInt32]? { get }
  /// Everything that each operation waits for and, behind the operations, nodes that only join
  /// dependencies; nil if no operation waits.
  var graph: DependencyRows? { get }
  /// Expected nanoseconds of an execution; nil if the batch does not state them.
  func expected(of operation: Int) -> Int64?
  /// Bytes that differ for different programs; nil if the kind, or the batch, determines the
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
  /// Number of places that the operation takes, at least 1.
  func slots(of operation: Int) -> Int
  /// Whether the operation waits for all earlier ones, and later ones wait for it.
  func isBarrier(_ operation: Int) -> Bool
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
extension Batch {
  package func input(of operation: Int) -> [UInt8]? { nil }
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
  package func teardown(of operation: Int) -> PoolTeardownSequence? { nil }
  package var resourceCount: Int { 0 }
  package func resource(_ index: Int) -> ManifestResource {
    preconditionFailure("a batch without resources is asked for one")
  }
  package func claims(of operation: Int) -> [Int] { [] }
  package func slots(of operation: Int) -> Int { 1 }
  package func isBarrier(_ operation: Int) -> Bool { false }
  package var groupCount: Int { 0 }
  package func groupName(_ group: Int) -> [UInt8] {
    preconditionFailure("a batch without groups is asked for one")
  }
  package func group(of operation: Int) -> Int? { nil }
  package func forEachInput(of operation: Int, _ body: ([UInt8], Int) -> Void) {}
}

extension Manifest: Batch {
  package var dependencyOrder: [UInt32]? { order.order }

  package func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {
    for (target, requirement) in dependencies(of: operation) { body(target, requirement) }
  }

  package func execution(of operation: Int) -> OperationExecution {
    var execution = OperationExecution(
      kind: kindName(of: operation),
      qualityOfService: qualityOfService(of: operation),
      payload: payload(of: operation)
    )
    execution.name = givenName(of: operation).map { String(decoding: $0, as: UTF8.self) }
    return execution
  }
}

extension Batch {
  /// The command of an operation as a shell would read it; nil for another kind.
  func command(of operation: Int) -> [UInt8]? {
    commandPayload(of: operation).map { CommandLabel.line($0.action) }
  }

  package func inputByteCount(of operation: Int) -> Int64 {
    switch commandPayload(of: operation)?.standardInput {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let part): Int64(part.range?.count ?? 0)
    case nil: 0
    }
  }

  private func commandPayload(of operation: Int) -> CommandPayload? {
    let execution = execution(of: operation)
    guard execution.kind == CommandPayload.kind else { return nil }
    return execution.payload.withUnsafeBytes { try? CommandPayload(json: $0) }
  }
}

/// One command per input.
struct MapBatch: Batch {
  let template: Template
  let inputs: InputList
  /// What the fields of an input are called in a folder of results.
  var labels = FieldLabels()

  var count: Int { inputs.count }
  var kindNames: [String] { [CommandPayload.kind] }
  var file: [UInt8]? { nil }

  func id(of operation: Int) -> [UInt8] { Array(String(operation + 1).utf8) }
  func name(of operation: Int) -> [UInt8] { id(of: operation) }
  func line(of operation: Int) -> Int? { nil }
  func kindIndex(of operation: Int) -> Int { 0 }
  func priority(of operation: Int) -> PoolQueuePriority { .normal }
  func timeout(of operation: Int) -> Int64? { nil }
  func retries(of operation: Int) -> Int? { nil }
  func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {}

  func label(of operation: Int) -> String {
    CommandLabel.text(command(operation).action)
  }

  func execution(of operation: Int) -> OperationExecution {
    OperationExecution(
      kind: CommandPayload.kind,
      qualityOfService: .default,
      payload: command(operation).json
    )
  }

  func input(of operation: Int) -> [UInt8]? {
    Array(inputs[operation].joined(separator: [UInt8(ascii: " ")]))
  }

  func inputByteCount(of operation: Int) -> Int64 { 0 }

  func resultsPath(of operation: Int) -> [[UInt8]]? { labels.path(of: inputs[operation]) }

  func tagInput(of operation: Int) -> TemplateInput {
    TemplateInput(inputs[operation], number: operation + 1)
  }

  func release(_ operation: Int) -> Int { inputs.release(operation) }

  private func command(_ operation: Int) -> CommandPayload {
    template.command(TemplateInput(inputs[operation], number: operation + 1))
  }
}

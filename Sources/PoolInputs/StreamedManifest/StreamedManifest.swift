package import PoolContents
package import PoolModel
import PoolWire
import Synchronization

/// A manifest whose lines come while the earlier ones execute: `opool run --stream`.
///
/// A producer's thread adds lines, and other threads ask for them. The text of a line is freed when
/// its operation has ended.
package final class StreamedManifest: Workload {
  package let file: [UInt8]?
  private let lines: Mutex<StreamedLines>

  package init(_ lines: StreamedLines, file: [UInt8]) {
    self.file = file
    self.lines = Mutex(lines)
  }

  /// Adds the operation of the next line, if it has one; throws all that is wrong in the line.
  package func add(_ line: [UInt8]) throws(ManifestErrors) -> StreamedLine? {
    try lines.withLock { lines throws(ManifestErrors) in try lines.read(line) }
  }

  /// The error of the next line, which is longer than the limit.
  package var excess: ManifestErrors { lines.withLock { $0.excess } }

  package var count: Int { lines.withLock { $0.count } }
  package var kinds: [ConstrainedKind] { lines.withLock { $0.kinds } }
  package func kindName(of operation: Int) -> String { kind(of: operation).name }
  package var resourceCount: Int { lines.withLock { $0.resources.count } }

  package func resource(_ index: Int) -> ManifestResource { lines.withLock { $0.resources[index] } }
  package func id(of operation: Int) -> [UInt8] { lines.withLock { $0.names.id(of: operation) } }
  package func givenID(of operation: Int) -> [UInt8]? {
    lines.withLock { $0.names.givenID(of: operation) }
  }
  package func line(of operation: Int) -> Int? { lines.withLock { $0.names.line(of: operation) } }
  package func kindIndex(of operation: Int) -> Int {
    lines.withLock { $0.kindIndex(of: operation) }
  }
  package func release(_ operation: Int) -> Int { lines.withLock { $0.release(operation) } }

  package func name(of operation: Int) -> [UInt8] {
    self[operation]?.manifest.givenName(of: 0) ?? id(of: operation)
  }

  package func actionText(of operation: Int) -> String {
    self[operation]?.manifest.actionText(of: 0) ?? ""
  }

  package func priority(of operation: Int) -> PoolQueuePriority {
    self[operation]?.manifest.priority(of: 0) ?? .normal
  }

  package func timeout(of operation: Int) -> Int64? { self[operation]?.manifest.timeout(of: 0) }
  package func retries(of operation: Int) -> Int? { self[operation]?.manifest.retries(of: 0) }
  package func retrySettings(of operation: Int) -> RetrySettings {
    self[operation]?.retrySettings ?? RetrySettings()
  }
  package func teardown(of operation: Int) -> PoolTeardownSequence? { self[operation]?.teardown }
  package func claims(of operation: Int) -> [Int] { self[operation]?.claims ?? [] }
  package func slots(of operation: Int) -> Int { self[operation]?.slots ?? 1 }
  package func isIdempotent(_ operation: Int) -> Bool {
    self[operation]?.manifest.isIdempotent(0) ?? false
  }

  package func forEachDependency(of operation: Int, _ body: (Int, PoolRequirement) -> Void) {
    for (target, requirement) in self[operation]?.dependencies ?? [] { body(target, requirement) }
  }

  package func execution(of operation: Int) -> OperationExecution {
    guard let line = self[operation] else {
      preconditionFailure("an operation that has ended is not executed again")
    }
    return line.manifest.execution(of: 0)
  }

  /// The operation of that number; nil after its end.
  private subscript(operation: Int) -> StreamedLine? { lines.withLock { $0[operation] } }
}

package import PoolCore
package import PoolModel
import PoolWire

/// A checked manifest: operations are numbered from 0 in the order of their lines.
///
/// It keeps the text and about 80 bytes per operation: no string, dictionary or object for each.
/// Payloads are read from the text again when they are needed.
package struct Manifest: Sendable {
  /// Maximum length of a line in bytes.
  package static let lineLimit = 64 << 20

  /// The file that it was read from, if any.
  package var file: [UInt8]?
  /// The program that executes the lines of `shell`; nil for `/bin/sh`.
  package var shell: [UInt8]?

  package let text: [UInt8]
  package let rows: [ManifestRow]
  let kindTable: NameTable<ConstrainedKind>
  let extras: ManifestExtras
  let requirements: [PoolRequirement]

  /// The dependencies of each operation; groups are numbered behind the operations.
  package let dependencies: DependencyRows
  /// The levels of the operations, and an order that respects the dependencies.
  package let order: DependencyOrder

  /// Number of operations.
  package var count: Int { rows.count }

  /// All kinds; ``kindIndex(of:)`` is an index into them.
  package var kinds: [ConstrainedKind] { kindTable.names }

  /// The physical line of an operation, from 1.
  package func line(of operation: Int) -> Int? {
    Int(rows[operation].line)
  }

  /// The identifier of an operation, UTF-8.
  package func id(of operation: Int) -> [UInt8] {
    withIdentifier(of: operation) { Array($0) }
  }

  package func givenID(of operation: Int) -> [UInt8]? {
    rows[operation].id.isNone ? nil : id(of: operation)
  }

  /// The name for people, UTF-8: the identifier if no name was given.
  package func name(of operation: Int) -> [UInt8] {
    givenName(of: operation) ?? id(of: operation)
  }

  /// The given name of an operation, UTF-8.
  package func givenName(of operation: Int) -> [UInt8]? {
    let row = rows[operation]
    return row.name.isNone ? nil : content(of: row.name, in: row)
  }

  package func priority(of operation: Int) -> PoolQueuePriority {
    let level = Int(rows[operation].traits.level)
    return PoolQueuePriority(nearest: 8 - 4 * level)
  }

  package func qualityOfService(of operation: Int) -> PoolQualityOfService {
    PoolQualityOfService.allCases[Int(rows[operation].traits.qualityOfService)]
  }

  /// Nanoseconds for each attempt; nil if none were given.
  package func timeout(of operation: Int) -> Int64? {
    let timeout = rows[operation].timeout
    return timeout == 0 ? nil : timeout
  }

  /// Extra attempts; nil if none were given.
  package func retries(of operation: Int) -> Int? {
    let retries = rows[operation].retries
    return retries < 0 ? nil : Int(retries)
  }

  /// The index of the kind in ``kinds``; 0 for `run` and `shell` without a constraint.
  package func kindIndex(of operation: Int) -> Int {
    Int(rows[operation].kind)
  }

  /// The kind: `command` for `run` and `shell`.
  package func kindName(of operation: Int) -> String {
    kindTable.names[kindIndex(of: operation)].name
  }

  /// The dependencies of an operation, and how each must end; from ``count`` on these are groups.
  package func dependencies(
    of operation: Int
  ) -> some Sequence<(target: Int, requirement: PoolRequirement)> {
    dependencies.range(of: operation).lazy.map { edge in
      (target: Int(dependencies.targets[edge]), requirement: requirements[edge])
    }
  }

  /// Everything that each operation waits for; behind the operations come nodes that only join
  /// dependencies.
  package var graph: DependencyRows? {
    extras.barriers.isEmpty && extras.groups.count == 0
      ? dependencies : ManifestGraph(dependencies, extras).rows
  }

  private func withIdentifier<Value>(
    of operation: Int,
    _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    text.withUnsafeBytes { ManifestBytes($0).withIdentifier(of: rows[operation], body) }
  }

  /// The content of a string in a row's line.
  package func content(of span: TextSpan, in row: ManifestRow) -> [UInt8] {
    text.withUnsafeBytes { ManifestBytes($0).withContent(of: span, in: row) { Array($0) } }
  }
}

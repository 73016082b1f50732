package import PoolConformance
import PoolInputs
import PoolModel

/// The arguments of `opool check-worker`.
package struct CheckWorkerOptions: Hashable, Sendable {
  /// The words of the worker's command; not empty after parsing.
  package var command: [[UInt8]] = []
  /// The kind of all operations; nil for the first that the worker names.
  package var kind: String?
  /// The payloads of operations, some with a kind of their own.
  package var works: [ConformanceCase.Payload: Placeholders.Work] = [:]
  /// The folder of the cases; nil for the standard ones.
  package var folder: [UInt8]?
  /// The nanoseconds that each step may take.
  package var limit = Int64.seconds(5)

  package init() {}

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var reader = OptionReader(arguments, topic: .checkWorker)
    guard let item = try reader.next() else {
      throw UsageError(
        "no command",
        hint: "write 'opool check-worker -- COMMAND…'",
        topic: .checkWorker
      )
    }
    switch item {
    case .invocation(let invocation): return invocation
    case .operand(let program):
      var options = reader.check
      options.command = [program] + reader.rest
      return .checkWorker(options)
    }
  }
}

import PoolInputs
import PoolModel

/// Operations whose kind no worker serves, as errors in their lines.
enum UnservedKinds {
  /// Throws the errors of operations whose constraint no workers of the options meet.
  static func demandFeatures(
    for workload: any Workload,
    of workers: [WorkerRequest]
  ) throws(ManifestErrors) {
    let errors = errors(in: workload) { kind in
      !kind.features.isEmpty && !workers.contains { $0.features.isSuperset(of: kind.features) }
    }
    if !errors.isEmpty { throw errors }
  }

  /// The errors for all operations with a kind that the closure selects.
  static func errors(in workload: any Workload, where isUnserved: (ConstrainedKind) -> Bool)
    -> ManifestErrors
  {
    // First, because another thread may add operations of further kinds.
    let count = workload.count
    let kinds = workload.kinds.map(isUnserved)
    var errors = ManifestErrors()
    guard kinds.contains(true) else { return errors }
    for operation in 0..<count where kinds[workload.kindIndex(of: operation)] {
      let kind = workload.kind(of: operation)
      let features = kind.features.map { "'\($0)'" }.joined(separator: " and ")
      errors.append(
        ManifestError(
          line: workload.line(of: operation) ?? operation + 1,
          field: features.isEmpty ? "kind" : "constraint",
          message: "no worker serves '\(Printable.name(kind.name))'"
            + (features.isEmpty ? "" : " on a machine that has \(features)")
        )
      )
    }
    return errors
  }
}

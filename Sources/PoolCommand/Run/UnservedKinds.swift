import PoolInputs
import PoolModel

/// Operations whose kind no worker serves, as errors in their lines.
enum UnservedKinds {
  /// The errors for all operations with a kind that the closure selects.
  static func errors(in workload: any Workload, where isUnserved: (String) -> Bool)
    -> ManifestErrors
  {
    // First, because another thread may add operations of further kinds.
    let count = workload.count
    let kinds = workload.kindNames.map(isUnserved)
    var errors = ManifestErrors()
    guard kinds.contains(true) else { return errors }
    for operation in 0..<count where kinds[workload.kindIndex(of: operation)] {
      let kind = Printable.name(workload.kindNames[workload.kindIndex(of: operation)])
      errors.append(
        ManifestError(
          line: workload.line(of: operation) ?? operation + 1,
          field: "kind",
          message: "no worker serves '\(kind)'"
        )
      )
    }
    return errors
  }
}

/// Fields that are checked and planned, but that no run obeys yet: better refused than ignored.
enum UnconnectedFields {
  /// An error for each operation that has one of them.
  static func errors(in batch: any Batch) -> ManifestErrors {
    var errors = ManifestErrors()
    for operation in 0..<batch.count {
      let details = batch.details(of: operation)
      if details.isEmpty { continue }
      let message = "planned (-n), but not executed yet: \(details)"
      errors.append(
        ManifestError(line: batch.line(of: operation) ?? operation + 1, message: message)
      )
    }
    return errors
  }
}

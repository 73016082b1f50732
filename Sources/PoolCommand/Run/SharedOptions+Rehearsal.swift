import PoolInputs
import PoolSystem

extension SharedOptions {
  /// Executes nothing where a make would not.
  ///
  /// That is below `make -n`, `-q` or `-t`, behind a `+`. Plans only, or returns the exit code at
  /// once.
  mutating func rehearse() -> ExitCode? {
    let flags = MakeFlags(ProcessEnvironment.current.value(of: Jobserver.variable) ?? [])
    switch flags.rehearsal {
    case nil: return nil
    case .print:
      isDryRun = true
      return nil
    // There may be something to execute.
    case .ask: return .operationsFailed
    case .touch: return .success
    }
  }
}

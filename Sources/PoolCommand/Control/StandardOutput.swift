import PoolInputs
import PoolSystem

/// Writes of subcommands to the standard output.
enum StandardOutput {
  /// Writes the text; returns the exit code of a failure, which it reports.
  static func write(_ text: [UInt8]) -> ExitCode? {
    write { () throws(SystemFailure) in try SystemIO.writeAll(1, text) }
  }

  /// Lets the closure write, and confirms that the system has kept the text; returns the exit code
  /// of a failure, which it reports unless the reader has gone.
  static func write(_ body: () throws(SystemFailure) -> Void) -> ExitCode? {
    do throws(SystemFailure) {
      try body()
      try Descriptors.confirmWrites(to: 1)
      return nil
    } catch {
      guard !error.isBrokenPipe else { return .closedOutput }
      CurrentProcess.complain("opool: standard output: \(error.reason)")
      return .output
    }
  }
}

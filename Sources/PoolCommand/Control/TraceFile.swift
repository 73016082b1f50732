import PoolInputs
import PoolModel
import PoolReports
import PoolSystem

/// The file of a run's trace.
enum TraceFile {
  /// Writes a trace; a file has it as a whole, or what it had before.
  ///
  /// Returns the exit code of a failure of the standard output, which `-` names.
  static func write(
    _ trace: TraceReport,
    to target: [UInt8]
  ) throws(RunFailure) -> ExitCode? {
    if target == Array("-".utf8) {
      return StandardOutput.write { () throws(SystemFailure) in try write(trace, to: 1) }
    }
    do throws(SystemFailure) {
      try WholeFile.replace(target) { descriptor throws(SystemFailure) in
        try write(trace, to: descriptor)
      }
      return nil
    } catch {
      throw RunFailure(.output, "\(Printable.text(target)): \(error.reason)")
    }
  }

  private static func write(
    _ trace: TraceReport,
    to descriptor: Int32
  ) throws(SystemFailure) {
    try trace.write { piece throws(SystemFailure) in try SystemIO.writeAll(descriptor, piece) }
  }
}

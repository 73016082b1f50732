import PoolInputs
import PoolModel
import PoolSystem

/// The file of a report's page.
enum ReportPage {
  /// Writes a page; a file has it as a whole, or what it had before.
  ///
  /// Returns the exit code of a failure of the standard output, which `-` names.
  static func write(_ page: [UInt8], to target: [UInt8]) throws(RunFailure) -> ExitCode? {
    if target == Array("-".utf8) { return StandardOutput.write(page) }
    do throws(SystemFailure) {
      try WholeFile.replace(target, with: page)
      return nil
    } catch {
      throw RunFailure(.output, "\(Printable.text(target)): \(error.reason)")
    }
  }
}

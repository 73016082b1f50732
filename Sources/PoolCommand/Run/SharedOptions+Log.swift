import PoolReports
import PoolSystem

extension SharedOptions {
  /// Lines of opool as its log may have them: names and commands in them are from outside.
  func forLog(_ lines: String) -> String {
    ci == .github ? CommandBreaker.broken(lines) : lines
  }

  /// Writes an error of opool, where no printer does.
  func complain(_ lines: String) { CurrentProcess.complain(forLog(lines)) }
}

import PoolModel
import PoolText
import PoolWire

/// A run in a list of runs.
package struct RunSummaryLine {
  private let process: Int32
  private let progress: ProgressSnapshot
  /// Safe to print.
  private let command: String

  package init(process: Int32, progress: ProgressSnapshot, command: String) {
    (self.process, self.progress, self.command) = (process, progress, command)
  }

  /// The line, with its end.
  package func text(asJSON: Bool) -> [UInt8] {
    guard asJSON else {
      let command = MessageExcerpt.input(Array("opool \(command)".utf8))
      return Array("\(process): \(progress.line(width: .max)): \(command)\n".utf8)
    }
    return JSONReport.line("run") { writer in
      writer.field("pid", process)
      progress.append(to: &writer)
      writer.key("command")
      writer.string("opool \(command)")
    }
  }
}

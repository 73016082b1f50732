import OperationPool
import PoolModel
import PoolSystem

/// The file of `--joblog`: a line for each operation that has executed, in the order of ending.
final class JobLog {
  let sink: LineSink
  private var line: [UInt8] = []

  /// Makes a log of a file that has its header.
  init(_ sink: LineSink) {
    self.sink = sink
  }

  /// Writes a line at once, so that a run that is killed leaves it.
  func append(_ report: OperationReport, of operation: Int, in workload: any Workload) {
    let line = JobLogLine(
      sequence: operation + 1,
      start: report.startTime,
      duration: report.executionTime ?? 0,
      sentCount: workload.inputByteCount(of: operation),
      receivedCount: report.standardOutput.byteCount,
      status: JobLogStatus(report),
      command: report.command ?? Array(workload.actionText(of: operation).utf8)
    )
    self.line.removeAll(keepingCapacity: true)
    line.append(to: &self.line)
    sink.write(LineBatch(self.line), of: [operation])
  }
}

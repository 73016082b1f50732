import PoolEvents
package import PoolInputs
import PoolJournal

/// The file of `--joblog`: a line for each operation that has executed, in the order of ending.
package final class JobLog: OutcomeTaker, LineFile {
  package let sink: LineSink
  private let workload: any Workload
  /// Nanoseconds from 1970 to the start of the run.
  private let runStart: Int64
  private var line: [UInt8] = []

  /// Makes a log of a file that has its header.
  package init(_ sink: LineSink, of workload: any Workload, runStart: Int64) {
    (self.sink, self.workload, self.runStart) = (sink, workload, runStart)
  }

  /// Writes a line at once, so that a run that is killed leaves it.
  package func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    guard delivery.roles.contains(.jobLog) else { return }
    let record = ended.record
    let number = record.number
    let line = JobLogLine(
      sequence: number + 1,
      start: record.start(inRunFrom: runStart),
      duration: record.executionTime ?? 0,
      sentCount: workload.inputByteCount(of: number),
      receivedCount: record.outputByteCount,
      status: JobLogStatus(record),
      command: workload.command(of: number) ?? Array(workload.actionText(of: number).utf8)
    )
    self.line.removeAll(keepingCapacity: true)
    line.append(to: &self.line)
    sink.write(LineBatch(self.line), of: [number])
  }
}

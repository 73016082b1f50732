import PoolEvents
package import PoolInputs
import PoolJournal
package import PoolModel
import PoolWire

/// The file of `--results`: a line for each operation, in the order of finishing.
package final class ResultsFile: LineFile {
  private let lines: LineGatherer
  private let workload: any Workload
  private let identity: RunIdentity

  package init(
    _ sink: LineSink,
    of workload: any Workload,
    _ identity: RunIdentity,
    began: @escaping @Sendable () -> Void = {}
  ) {
    lines = LineGatherer(sink, began: began)
    (self.workload, self.identity) = (workload, identity)
  }

  package var sink: LineSink { lines.sink }

  package func flush() { lines.flush() }

  /// Appends a line.
  package func append(_ line: ResultLine, at now: Instant) {
    lines.append(of: line.record.number, at: now) { writer in
      guard let offset = line.append(to: &writer), let result = line.result else { return nil }
      return (offset, result)
    }
  }

  /// Appends the number of unprinted outputs as the last line.
  ///
  /// Only a file is certain to accept it.
  package func noteUnprinted(_ count: Int, run: [UInt8]?) {
    guard count > 0, sink.isFile else { return }
    lines.append(at: .zero) { writer in
      writer.beginObject()
      writer.key("unprinted")
      writer.integer(count)
      if let run {
        writer.key("run")
        writer.string(run)
      }
      writer.endObject()
      writer.endLine()
      return nil
    }
    flush()
  }
}

extension ResultsFile: OutcomeTaker {
  /// A file that is continued has no second line of an outcome that is resumed, nor one that
  /// contradicts it: an operation that the journal has, and that the end of this run kept from
  /// being resumed, is what it was.
  package func take(_ ended: EndedOperation, _ delivery: OutcomeDelivery) {
    let roles = delivery.roles
    guard delivery.isReported else { return }
    let record = identity.asKept(ended.record, in: workload)
    guard !record.isResumed || roles.contains(.results) || identity.isNew(.results) else { return }
    let (outputs, result) = ended.line(for: roles)
    var line = ResultLine(record, workload.description(of: record.number))
    line.key = identity.key(of: record, in: workload)
    line.run = identity.name
    if !record.isResumed, record.memberCount == nil { line.runStart = identity.start }
    line.root = record.root.map { workload.id(ofMember: $0.number) }
    line.standardOutput = OutputExcerpt(kept: outputs.output, byteCount: record.outputByteCount)
    line.standardError = OutputExcerpt(kept: outputs.error, byteCount: record.errorByteCount)
    line.result = result
    append(line, at: ended.record.finished ?? .zero)
  }
}

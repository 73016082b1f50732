import OperationPool
import PoolEvents
import PoolModel
import PoolSystem
import PoolWire

/// The lines for `--results`: one for each operation, in the order of finishing.
final class ResultsFile {
  let sink: LineSink
  private var writer = JSONWriter()
  /// The large results of gathered lines.
  private var insertions: [LineBatch.Insertion] = []
  private var flushedAt = Instant.zero
  /// Operations, and groups, with gathered lines.
  private var gathered: [Int] = []

  /// Bytes that are gathered before they are written: 64 KiB.
  private static let bufferSize = 64 << 10
  /// Longest time that a line waits for others: 100 ms.
  static let period = Int64.milliseconds(100)

  init(_ sink: LineSink) {
    self.sink = sink
  }

  /// Why the file could not be written.
  var failure: SystemFailure? { sink.failure }

  /// Appends a line.
  ///
  /// Returns whether it is the first gathered one: then the caller flushes it after ``period``.
  func append(_ line: ResultLine, at now: Instant) -> Bool {
    let isFirst = writer.bytes.isEmpty
    if let offset = line.append(to: &writer), let result = line.result {
      insertions.append((offset, result))
    }
    if sink.isNoted { gathered.append(line.record.number) }
    let isDue = now >= flushedAt.advanced(by: Self.period)
    let isFull = !insertions.isEmpty || writer.bytes.count >= Self.bufferSize
    guard sink.isShared || isDue || isFull else { return isFirst }
    flushedAt = now
    flush()
    return false
  }

  /// Appends the number of unprinted outputs, which could not be reported elsewhere, as the last
  /// line; with a journal, a later run recognizes it by the run.
  ///
  /// Only a file is certain to accept it.
  func append(unprintedCount: Int, run: [UInt8]?) {
    guard unprintedCount > 0, sink.isFile else { return }
    writer.beginObject()
    writer.key("unprinted")
    writer.integer(unprintedCount)
    if let run {
      writer.key("run")
      writer.string(run)
    }
    writer.endObject()
    writer.endLine()
    flush()
  }

  /// Writes the gathered lines, or hands them over.
  func flush() {
    guard !writer.bytes.isEmpty else { return }
    sink.write(LineBatch(writer.bytes, insertions), of: gathered)
    insertions.removeAll()
    gathered.removeAll()
    writer.removeAll()
  }

  /// Hands over the rest.
  func close() -> LineSink.End {
    flush()
    return sink.close()
  }
}

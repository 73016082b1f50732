package import PoolModel
package import PoolWire

/// Gathers lines for a target, since one write for many of them costs less.
package final class LineGatherer {
  package let sink: LineSink
  /// Called for the first gathered line: it is to be flushed after ``period``.
  private let began: @Sendable () -> Void
  private var writer = JSONWriter()
  /// The large results of gathered lines.
  private var insertions: [LineBatch.Insertion] = []
  /// Operations, and groups, with gathered lines.
  private var gathered: [Int] = []
  private var flushedAt = Instant.zero

  /// Bytes that are gathered before they are written: 64 KiB.
  private static let bufferSize = 64 << 10
  /// Longest time that a line waits for others: 100 ms.
  package static let period = Int64.milliseconds(100)

  package init(_ sink: LineSink, began: @escaping @Sendable () -> Void = {}) {
    (self.sink, self.began) = (sink, began)
  }

  /// Adds a line of an operation, or of none; the closure writes it, and returns a large result
  /// that belongs into it.
  @inline(__always)
  package func append(
    of number: Int? = nil,
    at now: Instant,
    _ write: (inout JSONWriter) -> LineBatch.Insertion?
  ) {
    let isFirst = writer.bytes.isEmpty
    if let insertion = write(&writer) { insertions.append(insertion) }
    if let number, sink.isNoted { gathered.append(number) }
    let isDue = now >= flushedAt.advanced(by: Self.period)
    let isFull = !insertions.isEmpty || writer.bytes.count >= Self.bufferSize
    guard sink.isShared || isDue || isFull else {
      if isFirst { began() }
      return
    }
    flushedAt = now
    flush()
  }

  /// Writes the gathered lines, or hands them over.
  package func flush() {
    guard !writer.bytes.isEmpty else { return }
    sink.write(LineBatch(writer.bytes, insertions), of: gathered)
    insertions.removeAll()
    gathered.removeAll()
    writer.removeAll()
  }
}

package import PoolEvents
package import PoolModel

/// The file of `--events`: every record of the run, one a line.
package final class EventsFile: RunReader, LineFile {
  private let lines: LineGatherer
  private let now: @Sendable () -> Instant

  package init(
    _ sink: LineSink,
    now: @escaping @Sendable () -> Instant,
    began: @escaping @Sendable () -> Void
  ) {
    lines = LineGatherer(sink, began: began)
    self.now = now
  }

  package var sink: LineSink { lines.sink }
  package var kinds: RunRecord.Kinds { .all }

  package func take(_ record: RunRecord) {
    let now = now()
    lines.append(at: now) { writer in
      record.append(to: &writer, at: now)
      return nil
    }
  }

  package func flush() { lines.flush() }
}

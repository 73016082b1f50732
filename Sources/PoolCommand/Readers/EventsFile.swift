import PoolEvents
import PoolModel

/// The file of `--events`: every record of the run, one a line.
final class EventsFile: RunReader, LineFile {
  private let lines: LineGatherer
  private let now: @Sendable () -> Instant

  init(
    _ sink: LineSink,
    now: @escaping @Sendable () -> Instant,
    began: @escaping @Sendable () -> Void
  ) {
    lines = LineGatherer(sink, began: began)
    self.now = now
  }

  var sink: LineSink { lines.sink }
  var kinds: RunRecord.Kinds { .all }

  func take(_ record: RunRecord) {
    let now = now()
    lines.append(at: now) { writer in
      record.append(to: &writer, at: now)
      return nil
    }
  }

  func flush() { lines.flush() }
}

import PoolEvents
import PoolModel
import PoolWire

/// A fact of what happens in a queue, as `PoolOperationQueue/records` tells it.
///
/// It is a line of JSON in the form of `opool run --events`, which `Protocol/schema/events.json`
/// describes: a file of these lines can be read by `opool report` and `opool explain`.
public struct PoolRecord: Sendable, CustomStringConvertible {
  let record: RunRecord
  let instant: Instant

  init(_ record: RunRecord, at instant: Instant) {
    (self.record, self.instant) = (record, instant)
  }

  /// What it tells: the field `type` of its JSON, such as `settled`.
  ///
  /// Later versions may have more types.
  public var type: String { "\(record.type)" }

  /// When it was told, as the time since the stream of records was made.
  public var time: Duration { instant.duration }

  /// The record as one line of JSON, without a line feed.
  public var json: String {
    var writer = JSONWriter()
    record.append(to: &writer, at: instant)
    return String(decoding: writer.bytes.dropLast(), as: UTF8.self)
  }

  /// The same as ``json``.
  public var description: String { json }
}

package import PoolModel
package import PoolWire

/// A line of the events that `--events` writes, as it is read.
package struct EventLine: Sendable {
  /// When it was told.
  package let time: Instant
  package let record: RunRecord

  /// Reads a line.
  ///
  /// Returns nil for a record of a type that a later version tells; throws if the line is no
  /// record, or lacks a field.
  package init?(_ json: ArraySlice<UInt8>) throws(JSONError) {
    let fields = try JSONFields(json)
    guard let type = try fields.text("type") else {
      throw JSONError(.expected("a field 'type'"), at: 0)
    }
    time = Instant(nanoseconds: try fields.seconds("at") ?? 0)
    switch type {
    case "submitted": record = .submitted(try SubmittedRecord(event: fields))
    case "started": record = .started(try AttemptStarted(fields, at: time))
    case "settled":
      record = .settled(try EndRecord(fields), counts: try fields.isTrue("counts"))
    default:
      guard RunRecord.shortTypes.contains(type) else { return nil }
      record = try RunRecord(fields, type)
    }
  }
}

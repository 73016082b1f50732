package import PoolModel
package import PoolWire

/// A short line of a journal, as it is read.
package struct ShortRecord: Sendable {
  /// When it was told.
  package var time = Instant.zero
  /// The operation that is described, if any: with all of its dependencies but those of earlier
  /// lines.
  package var operation: SubmittedRecord?
  /// What has happened; nil for a line that only describes.
  package var record: RunRecord?
  /// Whether the line has further dependencies of an operation that a later line describes.
  package var isPartial = false

  /// Reads a line; throws if a field that it must have is missing.
  package init(_ json: ArraySlice<UInt8>) throws(JSONError) {
    let fields = try JSONFields(json)
    let type = try fields.text("type") ?? ""
    time = Instant(nanoseconds: try fields.seconds("at") ?? 0)
    isPartial = type == "edges"
    switch type {
    case "submitted", "edges": operation = try SubmittedRecord(short: fields)
    case "started":
      record = .started(try AttemptStarted(fields, at: time))
      if fields.isDescribing { operation = try SubmittedRecord(short: fields) }
    case "ended":
      record = .settled(try EndRecord(fields), counts: try fields.isTrue("counts"))
      if fields.isDescribing { operation = try SubmittedRecord(short: fields) }
    default: record = try RunRecord(fields, type)
    }
  }
}

extension JSONFields {
  /// Whether a line also describes its operation: each has a command or a kind.
  fileprivate var isDescribing: Bool { has("command") || has("kind") }
}

package import PoolWire

/// Reports as `--json` prints them: each is one line with an object, whose `type` says what it
/// describes.
///
/// `Protocol/schema/report.json` describes them.
package enum JSONReport {
  /// The line of a report, with its line feed; the closure writes the fields behind `type`.
  package static func line(_ type: StaticString, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("type", type)
    body(&writer)
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

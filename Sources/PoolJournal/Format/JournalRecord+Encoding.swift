import PoolModel
package import PoolWire

extension JournalRecord {
  /// Appends the fact as a line of JSON; one of an unknown type cannot be written.
  package func append(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .opened(let opening): opening.appendFields(to: &writer)
    case .settled(let settlement): settlement.appendFields(to: &writer)
    case .unknown: preconditionFailure("what is not understood is copied, not written")
    }
    writer.endObject()
    writer.endLine()
  }
}

extension JournalOpening {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "opened")
    writer.field("epoch", epoch)
    writer.field("pid", processID)
    writer.field("time", time)
  }
}

extension JournalSettlement {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "settled")
    writer.field("epoch", epoch)
    writer.key("key")
    writer.string(key.hex)
    writer.key("id")
    writer.string(Self.cut(id, to: Self.idLimit))
    writer.key("ending")
    writer.string(ending.name)
    writer.field("attempt", attempt)
    if let cause {
      writer.key("cause")
      writer.string(Self.cut(Array(cause.utf8), to: Self.idLimit))
    }
    if let exit { writer.field("exit", exit) }
    if let signal { writer.field("signal", signal) }
    if let usage {
      writer.key("usage")
      writer.usage(usage)
    }
    if let duration { writer.field("duration", duration) }
    writer.field("stdoutBytes", outputByteCount)
    writer.field("stderrBytes", errorByteCount)
    guard let message else { return }
    writer.key("message")
    writer.string(Self.cut(Array(message.utf8), to: Self.messageLimit))
  }

  /// The beginning of a text in UTF-8, without the first part of a character.
  private static func cut(_ text: [UInt8], to limit: Int) -> [UInt8] {
    guard text.count > limit else { return text }
    var end = limit
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(text[..<end])
  }
}

import PoolModel
import PoolSystem
package import PoolWire

extension JournalRecord {
  /// Appends the record as a line of JSON; a record of an unknown type cannot be written.
  package func append(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .opened(let opening): opening.appendFields(to: &writer)
    case .settled(let settlement): settlement.appendFields(to: &writer)
    case .voided(let voiding): voiding.appendFields(to: &writer)
    case .printed(let printing): printing.appendFields(to: &writer)
    case .target(let use): use.appendFields(to: &writer)
    case .marked(let mark): mark.appendFields(to: &writer)
    case .synced(let end):
      writer.field("type", "synced")
      writer.field("end", end)
    case .unknown: preconditionFailure("a record of an unknown type is copied, not written")
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
    if let boot {
      writer.key("boot")
      writer.string(boot)
    }
    if let run {
      writer.key("run")
      writer.string(run.hex)
    }
    if let keyVersion { writer.field("keys", keyVersion) }
    if let folder {
      writer.key("folder")
      writer.byteText(folder)
    }
    if takesOtherFolders {
      writer.key("sameFolder")
      writer.bool(true)
    }
  }
}

extension JournalVoiding {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "voided")
    writer.field("epoch", epoch)
    writer.key("key")
    writer.string(key.hex)
  }
}

extension JournalPrinting {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "printed")
    writer.field("epoch", epoch)
    writer.outputs(outputs)
  }
}

extension JournalTargetUse {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "target")
    writer.field("epoch", epoch)
    writer.field("target", target.number)
    writer.field("role", target.role.rawValue)
    if let file = target.file {
      writer.field("device", file.device)
      writer.field("inode", file.inode)
    }
    writer.extent(target.extent)
  }
}

extension JournalMark {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "marked")
    writer.field("epoch", epoch)
    writer.field("target", target)
    if let extent { writer.extent(extent) }
    if !outputs.isEmpty { writer.outputs(outputs) }
  }
}

extension JSONWriter {
  fileprivate mutating func outputs(_ ranges: [ClosedRange<UInt32>]) {
    key("outputs")
    beginArray()
    for range in ranges {
      integer(range.lowerBound)
      integer(range.upperBound)
    }
    endArray()
  }

  fileprivate mutating func extent(_ extent: TargetExtent) {
    field("length", extent.length)
    field("tail", extent.tailCount)
    field("checksum", extent.checksum)
  }
}

extension KeptOutput {
  fileprivate func append(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("number", number)
    switch place {
    case .record(let output, let error):
      if !output.isEmpty {
        writer.key("stdout")
        writer.byteText(output)
      }
      if !error.isEmpty {
        writer.key("stderr")
        writer.byteText(error)
      }
      if let result {
        writer.key("result")
        writer.byteText(result)
      }
    case .file(let place):
      writer.field("offset", place.offset)
      writer.field("stdoutBytes", place.outputCount)
      writer.field("stderrBytes", place.errorCount)
      if let count = place.resultCount { writer.field("resultBytes", count) }
      writer.field("checksum", place.checksum)
    }
    if readers != .streams { writer.field("readers", readers.rawValue) }
    writer.endObject()
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
    if let started { writer.field("started", started) }
    writer.field("stdoutBytes", outputByteCount)
    writer.field("stderrBytes", errorByteCount)
    if let message {
      writer.key("message")
      writer.string(Self.cut(Array(message.utf8), to: Self.messageLimit))
    }
    guard let kept else { return }
    writer.key("kept")
    kept.append(to: &writer)
  }

  /// The beginning of a UTF-8 text, without a partial character at the end.
  private static func cut(_ text: [UInt8], to limit: Int) -> [UInt8] {
    guard text.count > limit else { return text }
    var end = limit
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(text[..<end])
  }
}

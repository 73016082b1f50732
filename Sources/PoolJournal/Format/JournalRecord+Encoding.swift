import PoolEvents
import PoolModel
import PoolSystem
package import PoolWire

extension JournalRecord {
  /// Appends the record as a line of JSON; a record of an unknown type cannot be written.
  package func append(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .opened(let opening): opening.appendFields(to: &writer)
    case .settled(let end): end.appendFields(to: &writer)
    case .voided(let voiding): voiding.appendFields(to: &writer)
    case .sent(let sending): sending.appendFields(to: &writer)
    case .returned(let back): back.appendFields(to: &writer)
    case .printed(let printing): printing.appendFields(to: &writer)
    case .target(let use): use.appendFields(to: &writer)
    case .marked(let mark): mark.appendFields(to: &writer)
    case .synced(let end):
      writer.field("type", "synced")
      writer.field("end", end)
    case .fact, .unknown: preconditionFailure("such a record is copied, not written")
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
    writer.field("key", plain: key.hex)
  }
}

extension JournalSending {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "sent")
    writer.field("epoch", epoch)
    writer.field("key", plain: key.hex)
    writer.field("attempt", attempt)
    writer.field("lease", lease.milliseconds)
  }
}

extension JournalReturn {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "returned")
    writer.field("epoch", epoch)
    writer.field("key", plain: key.hex)
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

extension JournalEnd {
  fileprivate func appendFields(to writer: inout JSONWriter) {
    writer.field("type", "settled")
    writer.field("epoch", epoch)
    writer.field("key", plain: key.hex)
    writer.key("id")
    writer.string(WholeCharacters.prefix(of: id, upTo: Self.idLimit))
    if let number { writer.field("operation", number + 1) }
    writer.key("ending")
    writer.string(record.ending.name)
    writer.field("attempt", record.attempt)
    if let cause = record.cause {
      writer.key("cause")
      writer.string(cause.rawValue)
    }
    // A success without an exit code means 0.
    if let exit = record.exit, record.ending != .succeeded { writer.field("exit", exit) }
    if let signal = record.signal { writer.field("signal", signal) }
    if let usage = record.usage {
      writer.key("usage")
      writer.usage(usage, omittingZeros: true)
    }
    if let duration = record.executionTime { writer.field("duration", duration / 1_000) }
    if let start { writer.field("started", start.saturatingSum(500_000) / 1_000_000) }
    appendOutputs(to: &writer)
    if let message = record.message {
      writer.key("message")
      writer.string(WholeCharacters.prefix(of: Array(message.utf8), upTo: Self.messageLimit))
    }
    guard let kept else { return }
    writer.key("kept")
    kept.append(to: &writer)
  }

  /// Sizes, of which none means 0, and the error of a kind of the user's own.
  private func appendOutputs(to writer: inout JSONWriter) {
    if record.outputByteCount > 0 { writer.field("stdoutBytes", record.outputByteCount) }
    if record.errorByteCount > 0 { writer.field("stderrBytes", record.errorByteCount) }
    if let type = record.errorType {
      writer.key("errorType")
      writer.string(WholeCharacters.prefix(of: Array(type.utf8), upTo: Self.idLimit))
    }
    if let code = record.errorCode { writer.field("errorCode", code) }
  }
}

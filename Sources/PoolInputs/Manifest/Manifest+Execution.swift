import PoolModel
import PoolWire

extension Manifest {
  /// The payload of an operation as JSON: the command, or the payload for a kind.
  ///
  /// It reads the line again, at dispatch, so that a manifest has no second copy of its text.
  /// Values are copied from the line's JSON as they are.
  package func payload(of operation: Int) -> [UInt8] {
    let row = rows[operation]
    return text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(ManifestBytes(bytes).line(of: row))
      var writer = JSONWriter()
      do {
        if row.traits.action == .kind {
          try Self.copyPayload(from: &scanner, to: &writer)
        } else {
          try copyCommand(from: &scanner, to: &writer)
        }
      } catch {
        preconditionFailure("a line that was checked is not JSON any more: \(error)")
      }
      return writer.bytes
    }
  }

  private static func copyPayload(
    from scanner: inout JSONScanner,
    to writer: inout JSONWriter
  ) throws(JSONError) {
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      let value = try scanner.skipValue()
      guard ManifestField(key, in: scanner) == .payload else { continue }
      return writer.raw(scanner.slice(value))
    }
    writer.null()
  }

  private func copyCommand(
    from scanner: inout JSONScanner,
    to writer: inout JSONWriter
  ) throws(JSONError) {
    var isFirst = true
    try scanner.beginObject()
    writer.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      let value = try scanner.skipValue()
      guard let field = ManifestField(key, in: scanner)?.commandField else { continue }
      if field == .shell, let shell {
        writer.key(CommandPayload.Field.run)
        writer.beginArray()
        writer.byteText(shell)
        writer.string("-c")
        writer.raw(scanner.slice(value))
        writer.endArray()
      } else {
        writer.key(field)
        writer.raw(scanner.slice(value))
      }
    }
    writer.endObject()
  }

  /// The JSON of a command's first word, up to a blank in it; nil for kinds.
  package func program(of operation: Int) -> [UInt8]? {
    let row = rows[operation]
    guard row.traits.action != .kind else { return nil }
    return text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(ManifestBytes(bytes).line(of: row))
      let word = try? Self.firstWord(in: &scanner)
      return word.map { Array(scanner.slice($0).prefix { $0 != UInt8(ascii: " ") }) }
    }
  }

  private static func firstWord(
    in scanner: inout JSONScanner
  ) throws(JSONError) -> Range<Int>? {
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      switch ManifestField(key, in: scanner) {
      case .run:
        var isFirstWord = true
        try scanner.beginArray()
        return try scanner.hasElement(&isFirstWord) ? try scanner.skipValue() : nil
      case .shell: return try scanner.skipValue()
      default: _ = try scanner.skipValue()
      }
    }
    return nil
  }

  /// The action of an operation, on one line for people: the command as a shell would read it, or
  /// the kind and its payload.
  package func actionText(of operation: Int) -> String {
    let payload = payload(of: operation)
    if rows[operation].traits.action == .kind {
      let name = Printable.text(kindName(of: operation))
      return payload == Array("null".utf8) ? name : name + " " + Printable.text(payload)
    }
    let command = payload.withUnsafeBytes { try? CommandPayload(json: $0) }
    return command.map { CommandLabel.text($0.action) } ?? ""
  }
}

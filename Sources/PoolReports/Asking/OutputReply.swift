package import PoolModel
package import PoolWire

/// What a run says of the output of an operation.
package struct OutputReply: Hashable, Sendable {
  package enum State: String, Hashable, Sendable {
    /// It has not begun, or waits to be tried again.
    case waiting
    case executing
    case ended
  }

  /// Where the output of an operation that has ended is.
  package enum Place: Hashable, Sendable {
    /// Its folder among the results.
    case folder([UInt8])
    /// A file of results, which has the beginning.
    case file([UInt8])
  }

  package var state: State
  /// When its last attempt began; nil before.
  package var start: Instant?
  /// A piece of each output; nil where the run does not know it.
  package var written: WrittenOutputs?
  /// Where the rest is, once it has ended; nil for nowhere.
  package var place: Place?
  /// Why nothing is known, for people.
  package var reason: String?

  package init(
    _ state: State,
    start: Instant? = nil,
    written: WrittenOutputs? = nil,
    place: Place? = nil,
    reason: String? = nil
  ) {
    (self.state, self.start, self.written) = (state, start, written)
    (self.place, self.reason) = (place, reason)
  }

  /// The reply as a line, for the operation with this identifier.
  package func line(of id: [UInt8]) -> [UInt8] {
    JSONReport.line("output") { writer in
      writer.key("id")
      writer.string(id)
      writer.key("state")
      writer.string(state.rawValue)
      writer.optional("started", start) { $0.seconds($1.nanoseconds) }
      writer.optional("stdout", written?.output.bytes) { $0.byteText($1) }
      writer.optional("stdoutEnd", written?.output.end) { $0.integer($1) }
      writer.optional("stderr", written?.error.bytes) { $0.byteText($1) }
      writer.optional("stderrEnd", written?.error.end) { $0.integer($1) }
      var (folder, file): ([UInt8]?, [UInt8]?) = (nil, nil)
      switch place {
      case .folder(let path): folder = path
      case .file(let path): file = path
      case nil: break
      }
      writer.optional("folder", folder) { $0.byteText($1) }
      writer.optional("file", file) { $0.byteText($1) }
      writer.optional("reason", reason) { $0.string($1) }
    }
  }

  /// Reads such a line.
  package init(_ line: some Collection<UInt8>) throws(JSONError) {
    let fields = try JSONFields(Array(line)[...])
    guard let state = try fields.text("state").flatMap({ State(rawValue: $0) }) else {
      throw JSONError(.expected("a state that is known"), at: 0)
    }
    self.init(state)
    start = try fields.seconds("started").map { Instant(nanoseconds: $0) }
    if let output = try fields.bytes("stdout") {
      written = WrittenOutputs(
        output: WrittenPiece(output, end: try Self.end("stdoutEnd", fields)),
        error: WrittenPiece(
          try fields.bytes("stderr") ?? [],
          end: try Self.end("stderrEnd", fields)
        )
      )
    }
    if let folder = try fields.bytes("folder") { place = .folder(folder) }
    if let file = try fields.bytes("file") { place = .file(file) }
    reason = try fields.text("reason")
  }

  /// A number of bytes that can be computed with: the run may be another program.
  private static func end(_ name: StaticString, _ fields: JSONFields) throws(JSONError) -> Int64 {
    min(max(Int64(try fields.integer(name) ?? 0), 0), 1 << 60)
  }
}

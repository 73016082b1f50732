import PoolContents
import PoolModel
import PoolSystem

// Outputs that are printed while their operations execute, and lines with tags.

extension OutputWriter {
  /// Prints a piece, or keeps it for the turn of its operation.
  mutating func write(_ piece: LivePiece) throws(PrinterFailure) {
    guard !options.keepsOrder || ordered.isNext(piece.number) else {
      return try storing { writing throws(SystemFailure) in try writing.ordered.keep(piece) }
    }
    var output = takeLive(piece.number, piece.tag)
    try write(.inline(piece.bytes), of: &output, piece.number, on: piece.stream)
    live[piece.number] = output
  }

  /// Prints the pieces of the operation whose turn has come, which may still execute.
  mutating func beginTurn() throws(PrinterFailure) {
    let number = ordered.turn
    guard let pieces = ordered.takePieces() else { return }
    var output = takeLive(number, pieces.tag)
    for content in pieces.output { try write(content, of: &output, number, on: .output) }
    for content in pieces.error { try write(content, of: &output, number, on: .error) }
    live[number] = output
  }

  /// Writes the unprinted output of an attempt that has ended; returns whether pieces of it were
  /// dropped before.
  mutating func writeRest(
    _ number: Int,
    _ pair: OutputPair,
    _ tags: LineTags
  ) throws(PrinterFailure) -> Bool {
    var output = live.removeValue(forKey: number) ?? LiveOutput(lineLimit: 0, tags: tags)
    for (stream, content) in [(Stream.output, pair.output), (.error, pair.error)] {
      let rest = content.dropFirst(output[stream].text.byteCount)
      try write(rest, of: &output, number, on: stream)
      try put(output[stream].text.end(), of: output, number, on: stream)
      let writer = LastLine.Writer(operation: number, stream: stream)
      updateLine(of: stream) { $0.end(of: writer) }
    }
    return output.isDropped
  }

  /// Pieces of outputs were dropped; it is unknown which operations they belonged to.
  mutating func noteDrop() {
    for number in live.keys { live[number]?.isDropped = true }
  }

  private mutating func takeLive(_ number: Int, _ tag: [UInt8]?) -> LiveOutput {
    live.removeValue(forKey: number)
      ?? LiveOutput(lineLimit: options.lineLimit, tags: streams.tags(tag))
  }

  private mutating func write(
    _ content: OutputContent,
    of output: inout LiveOutput,
    _ number: Int,
    on stream: Stream
  ) throws(PrinterFailure) {
    let droppedBefore = streams.droppedCount
    do throws(SystemFailure) {
      try content.forEachPiece { piece throws(SystemFailure) in
        let text = output[stream].text.take(piece)
        try putText(text, tag: output[stream].tag, number, on: stream)
      }
    } catch {
      throw PrinterFailure(stream: name(of: stream), failure: error)
    }
    if streams.droppedCount > droppedBefore { output.isDropped = true }
  }

  private mutating func put(
    _ text: [UInt8],
    of output: LiveOutput,
    _ number: Int,
    on stream: Stream
  ) throws(PrinterFailure) {
    do throws(SystemFailure) {
      try putText(text, tag: output[stream].tag, number, on: stream)
    } catch {
      throw PrinterFailure(stream: name(of: stream), failure: error)
    }
  }

  /// Writes text, each line of which begins with the tag, also where another output has left a line
  /// open.
  mutating func putText(
    _ text: [UInt8],
    tag: [UInt8],
    _ number: Int,
    on stream: Stream
  ) throws(SystemFailure) {
    guard !text.isEmpty else { return }
    guard !tag.isEmpty else {
      return try text.withBytes { bytes throws(SystemFailure) in try putPlain(bytes, on: stream) }
    }
    let writer = LastLine.Writer(operation: number, stream: stream)
    let goesOn = line(of: stream).isOpen(by: writer)
    if !goesOn { try beginLine(on: stream) }
    var tagger = LineTagger(tag: tag, isAtStart: !goesOn)
    let tagged = text.withUnsafeBytes { tagger.tagged($0) }
    try tagged.withBytes { bytes throws(SystemFailure) in
      try putPlain(bytes, on: stream, by: writer)
    }
  }

  /// Ends a line that an output has left open.
  mutating func beginLine(on stream: Stream) throws(SystemFailure) {
    guard line(of: stream).isOpen else { return }
    try [UInt8(ascii: "\n")].withBytes { bytes throws(SystemFailure) in
      try putPlain(bytes, on: stream)
    }
  }
}

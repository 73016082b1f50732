import OperationPool
import PoolSystem

// Outputs that are printed while their operations execute, and lines with tags.

extension OutputWriter {
  /// Prints a piece, or keeps it for the turn of its operation.
  mutating func write(_ piece: LivePiece) throws(PrinterFailure) {
    guard !options.keepsOrder || ordered.isNext(piece.number) else {
      return try storing { writing throws(SystemFailure) in try writing.ordered.keep(piece) }
    }
    var output = takeLive(piece.number, piece.tag)
    try write(.inline(piece.bytes), of: &output, on: piece.stream)
    live[piece.number] = output
  }

  /// Prints the pieces of the operation whose turn has come, which may still execute.
  mutating func beginTurn() throws(PrinterFailure) {
    let number = ordered.turn
    guard let pieces = ordered.takePieces() else { return }
    var output = takeLive(number, pieces.tag)
    for content in pieces.output { try write(content, of: &output, on: .output) }
    for content in pieces.error { try write(content, of: &output, on: .error) }
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
    try write(pair.output.dropFirst(output.output.byteCount), of: &output, on: .output)
    try put(output.output.end(), on: .output)
    try write(pair.error.dropFirst(output.error.byteCount), of: &output, on: .error)
    try put(output.error.end(), on: .error)
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
    on stream: Stream
  ) throws(PrinterFailure) {
    let droppedBefore = streams.droppedCount
    do throws(SystemFailure) {
      try content.forEachPiece { piece throws(SystemFailure) in
        try putText(output[stream].take(piece), on: stream)
      }
    } catch {
      throw PrinterFailure(stream: name(of: stream), failure: error)
    }
    if streams.droppedCount > droppedBefore { output.isDropped = true }
  }

  private mutating func put(_ text: [UInt8], on stream: Stream) throws(PrinterFailure) {
    do throws(SystemFailure) {
      try putText(text, on: stream)
    } catch {
      throw PrinterFailure(stream: name(of: stream), failure: error)
    }
  }

  private mutating func putText(_ text: [UInt8], on stream: Stream) throws(SystemFailure) {
    guard !text.isEmpty else { return }
    try text.withBytes { bytes throws(SystemFailure) in try putPlain(bytes, on: stream) }
  }
}

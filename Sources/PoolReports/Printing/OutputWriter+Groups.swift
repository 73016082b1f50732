import PoolContents
import PoolSystem

// Outputs of failed operations as groups of lines, which the log of a GitHub workflow folds.

extension OutputWriter {
  /// Writes both outputs of an operation to the error stream, as one group: lines of two streams
  /// would not stay together in a log.
  mutating func writeGroup(
    _ title: String,
    _ number: Int,
    _ pair: OutputPair,
    _ tags: LineTags
  ) throws(PrinterFailure) {
    try flush()
    try put(commands: WorkflowCommand.group(title).line)
    for content in [pair.output, pair.error] {
      try writeLines(content, tags, number)
    }
    try put(commands: WorkflowCommand.endGroup.line)
  }

  /// Writes an output to the error stream, from the start of a line on.
  private mutating func writeLines(
    _ content: OutputContent,
    _ tags: LineTags,
    _ number: Int
  ) throws(PrinterFailure) {
    guard !tags.isEmpty else { return try write(content, on: .error, beginsLine: true) }
    do throws(SystemFailure) {
      try content.forEachPiece { piece throws(SystemFailure) in
        try putText(Array(piece), tag: tags.error, number, on: .error)
      }
    } catch {
      throw PrinterFailure(stream: name(of: .error), failure: error)
    }
  }

  /// Writes commands, from the start of a line on.
  mutating func put(commands lines: [UInt8]) throws(PrinterFailure) {
    do throws(SystemFailure) {
      try streams.write(commands: lines)
    } catch {
      throw PrinterFailure(stream: name(of: .error), failure: error)
    }
    updateLine(of: .error) { $0.close() }
  }
}

import PoolContents
package import PoolSystem

/// A standard stream that can no longer be written.
package struct PrinterFailure: Error, Hashable {
  /// Such as `standard output`.
  package var stream: String
  package var failure: SystemFailure

  /// Whether the stream's reader has gone, which is not an error: `opool … | head -1`.
  package var isClosedPipe: Bool { failure.isBrokenPipe }
}

/// Writes the items that the printer's thread takes.
struct OutputWriter {
  typealias Stream = OutputStreams.Stream

  let options: Printer.Options
  /// Called with the number of written outputs that are not empty.
  private let written: (_ outputCount: Int) -> Void
  /// Called with the numbers of operations whose outputs were read, as far as known.
  var read: ((_ numbers: [Int]) -> Void)?
  /// Called with the receipts of lines that were read.
  var readLines: ((_ receipts: [LineReceipt]) -> Void)?
  var ordered = OrderedOutputs()
  /// Executing operations with printed output.
  var live: [Int: LiveOutput] = [:]
  /// The titles of operations whose outputs are groups, and have not been written.
  var titles: [Int: String] = [:]
  /// Small outputs for the standard output that are not written yet.
  private var buffer: [UInt8] = []
  /// Operations whose outputs were written, or are in the buffer.
  private var unreported: [Int] = []
  /// Receipts of lines that were written, or are in the buffer.
  private var unreportedLines: [LineReceipt] = []
  /// Number of them with an output that is not empty.
  private var unreportedOutputs = 0
  private var unread = UnreadOutputs()
  var streams: OutputStreams
  private var outputLine = LastLine()
  private var errorLine = LastLine()
  private var hasFailed = false
  /// Whether results went to the error stream, which must keep them as the output stream must.
  private var hasErrorLines = false

  private static let bufferLimit = 64 << 10

  init(_ options: Printer.Options, written: @escaping (Int) -> Void) {
    self.options = options
    self.written = written
    streams = OutputStreams(options)
  }

  mutating func write(_ items: [Printer.Item]) {
    guard !items.isEmpty else { return }
    do throws(PrinterFailure) {
      for item in items { try write(item) }
      try flush()
    } catch {
      fail(error)
    }
  }

  /// Redraws the progress line if it shows something else by now.
  func showProgress() {
    streams.showProgress()
  }

  /// Whether outputs may lie in a pipe; see ``noteRead()``.
  var hasUnread: Bool { !unread.isEmpty }

  /// Reports the outputs that have been read meanwhile.
  mutating func noteRead() {
    guard hasUnread else { return }
    tellRead(upTo: streams.readPosition)
  }

  /// Ends the writing; outputs that a living reader has not read yet count as read.
  mutating func end() {
    streams.endProgress()
    confirm()
    if hasUnread, !streams.hasLostReader { tellRead(upTo: streams.position) }
    noteRead()
  }

  private mutating func tellRead(upTo position: UnreadOutputs.Position) {
    let numbers = unread.takeRead(upTo: position)
    let receipts = unread.takeReceipts()
    guard !numbers.isEmpty || !receipts.isEmpty, confirm() else { return }
    if !numbers.isEmpty { read?(numbers) }
    if !receipts.isEmpty { readLines?(receipts) }
  }

  /// Whether the system has kept what was written.
  ///
  /// A network file system may report a full disk or a quota only when a file is closed.
  @discardableResult
  private mutating func confirm() -> Bool {
    for stream in hasErrorLines ? [Stream.output, .error] : [.output] where !hasFailed {
      do throws(SystemFailure) {
        try streams.confirm(stream)
      } catch {
        fail(PrinterFailure(stream: name(of: stream), failure: error))
      }
    }
    return !hasFailed
  }

  private mutating func fail(_ failure: PrinterFailure) {
    buffer.removeAll()
    live.removeAll()
    unreported.removeAll()
    unreportedLines.removeAll()
    unreportedOutputs = 0
    guard !hasFailed else { return }
    hasFailed = true
    options.failed(failure)
  }
}

extension OutputWriter {
  private mutating func write(_ item: Printer.Item) throws(PrinterFailure) {
    switch item {
    case .message(let bytes):
      try flush()
      try put(LineBatch(bytes))
      updateLine(of: .error) { $0.close() }
    case .commands(let lines):
      try flush()
      try put(commands: lines)
    case .errorLines(let lines):
      try flush()
      hasErrorLines = true
      try put(lines, mustArrive: true)
      updateLine(of: .error) { $0.close() }
    case .lines(let lines):
      guard !hasFailed else { return }
      if outputLine.isOpen { try write(.inline([UInt8(ascii: "\n")]), on: .output) }
      try write(lines)
    case .receipt(let receipt):
      if !hasFailed { unreportedLines.append(receipt) }
    case .outputs(let number, let pair, let tag):
      guard !hasFailed else { return }
      try take(number, pair, streams.tags(tag))
    case .group(let number, let pair, let tag, let title):
      guard !hasFailed else { return }
      titles[number] = title
      try take(number, pair, streams.tags(tag))
    case .piece(let piece):
      guard !hasFailed else { return }
      try write(piece)
    case .attempt(let number, let pair, let tag):
      guard !hasFailed else { return }
      guard !options.keepsOrder || ordered.isNext(number) else { return ordered.drop(number) }
      _ = try writeRest(number, pair, streams.tags(tag))
    }
  }

  /// Writes the outputs of an operation that has ended, or keeps them for their turn.
  private mutating func take(
    _ number: Int,
    _ pair: OutputPair,
    _ tags: LineTags
  ) throws(PrinterFailure) {
    guard options.keepsOrder else { return try write(number, pair, tags) }
    try writeInTurn(number, pair, tags)
  }

  private mutating func writeInTurn(
    _ number: Int,
    _ pair: OutputPair,
    _ tags: LineTags
  ) throws(PrinterFailure) {
    guard ordered.isNext(number) else {
      return try storing { writing throws(SystemFailure) in
        try writing.ordered.keep(number, pair, tags)
      }
    }
    try write(number, pair, tags)
    ordered.advance()
    try beginTurn()
    while let output = ordered.next() {
      try write(output.number, output.pair, output.tags, hasTags: output.hasTags)
      try beginTurn()
    }
  }

  /// Writes to the store of outputs that wait for their turn.
  mutating func storing(
    _ body: (inout Self) throws(SystemFailure) -> Void
  ) throws(PrinterFailure) {
    do throws(SystemFailure) {
      try body(&self)
    } catch {
      throw PrinterFailure(stream: "temporary file: \(error.call)", failure: error)
    }
  }

  /// Writes the outputs of an operation that has ended, without the parts printed before; the lines
  /// may have their tags already.
  private mutating func write(
    _ number: Int,
    _ pair: OutputPair,
    _ tags: LineTags,
    hasTags: Bool = false
  ) throws(PrinterFailure) {
    let droppedBefore = streams.droppedCount
    var isDropped = false
    if !titles.isEmpty, let title = titles.removeValue(forKey: number), live[number] == nil {
      try writeGroup(title, number, pair, hasTags ? .none : tags)
    } else if tags.isEmpty, live[number] == nil {
      try write(pair.output, on: .output, beginsLine: hasTags)
      if pair.error.byteCount > 0 {
        try flush()
        try write(pair.error, on: .error, beginsLine: hasTags)
      }
    } else {
      isDropped = try writeRest(number, pair, tags)
    }
    guard streams.droppedCount == droppedBefore, !isDropped else { return }
    unreported.append(number)
    if !pair.isEmpty { unreportedOutputs += 1 }
  }

  mutating func write(
    _ content: OutputContent,
    on stream: Stream,
    beginsLine: Bool = false
  ) throws(PrinterFailure) {
    do throws(SystemFailure) {
      if beginsLine, content.byteCount > 0 { try beginLine(on: stream) }
      if case .file(let file) = content, file.byteCount > Self.bufferLimit {
        try flushPlain()
        try noteEnd(of: file, on: stream)
        return try streams.send(file, to: stream)
      }
      try content.forEachPiece { piece throws(SystemFailure) in
        try putPlain(piece, on: stream)
      }
    } catch {
      throw PrinterFailure(stream: name(of: stream), failure: error)
    }
  }

  /// Writes lines of results for the output stream.
  private mutating func write(_ lines: LineBatch) throws(PrinterFailure) {
    do throws(SystemFailure) {
      try lines.forEachPiece { piece throws(SystemFailure) in try putPlain(piece, on: .output) }
    } catch {
      throw PrinterFailure(stream: name(of: .output), failure: error)
    }
  }

  mutating func putPlain(
    _ piece: UnsafeRawBufferPointer,
    on stream: Stream,
    by writer: LastLine.Writer? = nil
  ) throws(SystemFailure) {
    updateLine(of: stream) { $0.wrote(piece.last, by: writer) }
    guard stream == .output, buffer.count + piece.count <= Self.bufferLimit else {
      try flushPlain()
      return try streams.write(piece, to: stream)
    }
    buffer.append(contentsOf: piece)
  }

  private mutating func flushPlain() throws(SystemFailure) {
    if !buffer.isEmpty {
      let droppedBefore = streams.droppedCount
      try streams.write(buffer, to: .output)
      buffer.removeAll(keepingCapacity: true)
      // It is unknown which of them were in the buffer.
      if streams.droppedCount > droppedBefore {
        (unreported, unreportedLines, unreportedOutputs) = ([], [], 0)
        noteDrop()
      }
    }
    report()
  }

  /// Reports the written outputs; the buffer is empty.
  private mutating func report() {
    guard !unreported.isEmpty || !unreportedLines.isEmpty else { return }
    written(unreportedOutputs)
    if read != nil { unread.append(unreported, unreportedLines, at: streams.position) }
    unreported.removeAll(keepingCapacity: true)
    unreportedLines.removeAll()
    unreportedOutputs = 0
  }

  /// Notes the last byte of a file that goes to a stream as a whole.
  private mutating func noteEnd(
    of file: OutputFile,
    on stream: Stream
  ) throws(SystemFailure) {
    let end = file.range.upperBound
    try SystemIO.forEachPiece(of: file.descriptor, end - 1..<end) { piece throws(SystemFailure) in
      updateLine(of: stream) { $0.wrote(piece.last) }
    }
  }

  /// The last line of a stream; both streams may lead to the same file.
  func line(of stream: Stream) -> LastLine {
    stream == .output || streams.isShared ? outputLine : errorLine
  }

  mutating func updateLine(of stream: Stream, _ body: (inout LastLine) -> Void) {
    if stream == .output || streams.isShared { body(&outputLine) } else { body(&errorLine) }
  }

  func name(of stream: Stream) -> String {
    stream == .output ? options.outputName : "standard error"
  }

  mutating func flush() throws(PrinterFailure) {
    do throws(SystemFailure) {
      try flushPlain()
    } catch {
      throw PrinterFailure(stream: name(of: .output), failure: error)
    }
  }

  private mutating func put(
    _ message: LineBatch,
    mustArrive: Bool = false
  ) throws(PrinterFailure) {
    do throws(SystemFailure) {
      try streams.write(message: message, mustArrive: mustArrive)
    } catch {
      throw PrinterFailure(stream: name(of: .error), failure: error)
    }
  }
}

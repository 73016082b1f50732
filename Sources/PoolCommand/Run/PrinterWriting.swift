import OperationPool
import PoolSystem

/// A standard stream that cannot be written any more.
struct PrinterFailure: Error, Hashable {
  /// Such as `standard output`.
  var stream: String
  var failure: SystemFailure

  /// Whether whoever read the stream has gone, which is no error: `opool … | head -1`.
  var isClosedPipe: Bool { failure.isBrokenPipe }
}

/// What the printer's thread does with what it was handed.
struct PrinterWriting {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  private let options: Printer.Options
  private var ordered = OrderedOutputs()
  /// Small outputs on their way to the standard output.
  private var buffer: [UInt8] = []
  private var hasProgress = false
  private var hasFailed = false
  private var shownAt: Int64 = 0

  /// How often the progress line is renewed at most: ten times a second.
  private static let progressPeriod = Int64.milliseconds(100)

  private static let bufferLimit = 64 << 10

  init(_ options: Printer.Options) {
    self.options = options
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

  /// Renews the progress line, where the last one is old enough.
  mutating func showProgress() {
    let now = MonotonicClock.now
    guard let progress = options.progress, now - shownAt >= Self.progressPeriod,
      let columns = Terminal.columns(of: 2)
    else { return }
    shownAt = now
    let line = "\r\u{1B}[K" + progress(columns - 1)
    hasProgress = true
    // Somebody who has closed the terminal does not miss it.
    try? SystemIO.writeAll(2, Array(line.utf8))
  }

  mutating func end() {
    clearProgress()
  }

  private mutating func clearProgress() {
    guard hasProgress else { return }
    hasProgress = false
    try? SystemIO.writeAll(2, Array("\r\u{1B}[K".utf8))
  }

  private mutating func fail(_ failure: PrinterFailure) {
    buffer.removeAll()
    guard !hasFailed else { return }
    hasFailed = true
    options.failed(failure)
  }
}

extension PrinterWriting {
  private mutating func write(_ item: Printer.Item) throws(PrinterFailure) {
    switch item {
    case .message(let bytes):
      try flush()
      try put(bytes, on: .error)
    case .outputs(let number, let pair):
      guard !hasFailed else { return }
      guard options.keepsOrder else { return try write(pair) }
      try writeInTurn(number, pair)
    }
  }

  private mutating func writeInTurn(
    _ number: Int,
    _ pair: OutputPair
  ) throws(PrinterFailure) {
    do throws(SystemFailure) {
      guard ordered.isNext(number) else { return try ordered.keep(number, pair) }
    } catch {
      throw PrinterFailure(stream: "temporary file", failure: error)
    }
    try write(pair)
    ordered.advance()
    while let pair = ordered.next() { try write(pair) }
  }

  private mutating func write(_ pair: OutputPair) throws(PrinterFailure) {
    try write(pair.output, on: .output)
    guard pair.error.byteCount > 0 else { return }
    try flush()
    try write(pair.error, on: .error)
  }

  private mutating func write(
    _ content: OutputContent,
    on stream: Stream
  ) throws(PrinterFailure) {
    do throws(SystemFailure) {
      if case .file(let file) = content, file.byteCount > Self.bufferLimit {
        try flushPlain()
        clearProgress()
        return try SystemIO.send(file.descriptor, file.range, to: stream.rawValue)
      }
      try OutputCopy.forEachPiece(of: content) { piece throws(SystemFailure) in
        try putPlain(piece, on: stream)
      }
    } catch {
      throw PrinterFailure(stream: stream.name, failure: error)
    }
  }

  private mutating func putPlain(
    _ piece: UnsafeRawBufferPointer,
    on stream: Stream
  ) throws(SystemFailure) {
    guard stream == .output, buffer.count + piece.count <= Self.bufferLimit else {
      try flushPlain()
      clearProgress()
      return try SystemIO.writeAll(stream.rawValue, piece)
    }
    buffer.append(contentsOf: piece)
  }

  private mutating func flushPlain() throws(SystemFailure) {
    guard !buffer.isEmpty else { return }
    clearProgress()
    try SystemIO.writeAll(Stream.output.rawValue, buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private mutating func flush() throws(PrinterFailure) {
    do throws(SystemFailure) {
      try flushPlain()
    } catch {
      throw PrinterFailure(stream: Stream.output.name, failure: error)
    }
  }

  private mutating func put(_ bytes: [UInt8], on stream: Stream) throws(PrinterFailure) {
    clearProgress()
    do throws(SystemFailure) {
      try SystemIO.writeAll(stream.rawValue, bytes)
    } catch {
      throw PrinterFailure(stream: stream.name, failure: error)
    }
  }
}

extension PrinterWriting.Stream {
  fileprivate var name: String { self == .output ? "standard output" : "standard error" }
}

import PoolModel
import PoolSystem
import PoolWire

/// The lines for `--results`: one for each operation, in the order of finishing.
final class ResultsFile {
  /// The destination of the lines.
  enum Sink {
    /// A regular file, which accepts lines at once; closed at the end.
    case file(Int32)
    /// Its own printer, because the destination may block: a pipe, a terminal.
    case own(Printer)
    /// A stream that also gets outputs or messages; each line there is whole.
    case shared(Printer, isError: Bool)
  }

  private let sink: Sink
  private var writer = JSONWriter()
  private(set) var failure: SystemFailure?
  private var flushedAt = Instant.zero
  /// Operations with gathered lines.
  private var gathered: [Int] = []
  /// Called with the numbers of operations, or groups, whose lines were written.
  private let written: (@Sendable ([Int]) -> Void)?

  /// Bytes that are gathered before they are written: 64 KiB.
  private static let bufferSize = 64 << 10
  /// Longest time that a line waits for others: 100 ms.
  static let period = Int64.milliseconds(100)

  init(_ sink: Sink, written: (@Sendable (_ numbers: [Int]) -> Void)? = nil) {
    self.sink = sink
    self.written = written
  }

  deinit {
    if case .file(let descriptor) = sink { Descriptors.close(descriptor) }
  }

  /// Appends a line.
  ///
  /// Returns whether it is the first gathered one: then the caller flushes it after ``period``.
  func append(_ report: OperationReport, of number: Int, at now: Instant) -> Bool {
    let isFirst = writer.bytes.isEmpty
    report.append(to: &writer)
    if written != nil { gathered.append(number) }
    let isDue = now >= flushedAt.advanced(by: Self.period)
    guard isShared || isDue || writer.bytes.count >= Self.bufferSize else {
      return isFirst
    }
    flushedAt = now
    flush()
    return false
  }

  /// Appends the number of unprinted outputs, which could not be reported elsewhere, as the last
  /// line.
  ///
  /// Only a file is certain to accept it.
  func append(unprintedCount: Int) {
    guard unprintedCount > 0, case .file = sink else { return }
    writer.beginObject()
    writer.key("unprinted")
    writer.integer(unprintedCount)
    writer.endObject()
    writer.endLine()
    flush()
  }

  /// Writes the gathered lines, or hands them over.
  func flush() {
    guard !writer.bytes.isEmpty else { return }
    switch sink {
    case .file(let descriptor): write(to: descriptor)
    case .own(let printer), .shared(let printer, isError: false):
      printer.write(lines: writer.bytes)
    case .shared(let printer, isError: true): printer.write(errorLines: writer.bytes)
    }
    writer.removeAll()
  }

  /// Hands over the rest; returns whether another thread still writes it.
  func close() -> Bool {
    flush()
    guard case .own(let printer) = sink else { return false }
    printer.close()
    return true
  }

  private var isShared: Bool {
    if case .shared = sink { return true }
    return false
  }

  private func write(to descriptor: Int32) {
    do throws(SystemFailure) {
      if failure == nil {
        try SystemIO.writeAll(descriptor, writer.bytes)
        written?(gathered)
      }
    } catch {
      failure = error
    }
    gathered.removeAll()
  }
}

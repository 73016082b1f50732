import PoolSystem

/// Takes whole lines for a file of a run, such as the results or the job log.
final class LineSink {
  /// Where the lines go.
  enum Destination: Sendable {
    /// A regular file, which accepts lines at once; closed at the end.
    case file(Int32)
    /// Its own printer, because the destination may block: a pipe, a terminal.
    case own(Printer)
    /// A stream that also gets outputs or messages; each line there is whole.
    case shared(Printer, isError: Bool)
  }

  private let destination: Destination
  /// Why a file could not be written; later lines are dropped.
  private(set) var failure: SystemFailure?

  init(_ destination: Destination) {
    self.destination = destination
  }

  deinit {
    if case .file(let descriptor) = destination { Descriptors.close(descriptor) }
  }

  /// Whether the lines go to a regular file.
  var isFile: Bool {
    if case .file = destination { return true }
    return false
  }

  /// Whether the lines go to a stream with other content.
  var isShared: Bool {
    if case .shared = destination { return true }
    return false
  }

  /// Writes lines, or hands them over.
  func write(_ lines: [UInt8]) {
    switch destination {
    case .file(let descriptor): write(lines, to: descriptor)
    case .own(let printer), .shared(let printer, isError: false): printer.write(lines: lines)
    case .shared(let printer, isError: true): printer.write(errorLines: lines)
    }
  }

  /// Ends the input; returns whether another thread still writes it.
  func close() -> Bool {
    guard case .own(let printer) = destination else { return false }
    printer.close()
    return true
  }

  private func write(_ lines: [UInt8], to descriptor: Int32) {
    guard failure == nil else { return }
    do throws(SystemFailure) {
      try SystemIO.writeAll(descriptor, lines)
    } catch {
      failure = error
    }
  }
}

package import PoolJournal
package import PoolSystem

/// Takes whole lines for a target of a run, such as the results or the job log.
package final class LineSink {
  /// Where the lines go.
  package enum Destination: Sendable {
    /// A regular file, which accepts lines at once; closed at the end. The run's own has to keep a
    /// name; one that was inherited is its owner's.
    case file(Int32, isOwn: Bool = true)
    /// Its own printer, because the destination may block: a pipe, a terminal.
    case own(Printer)
    /// A stream that also gets outputs or messages; each line there is whole.
    case shared(Printer, isError: Bool)
  }

  /// How the input of a sink has ended.
  package struct End: Sendable {
    package var lines: TargetLines
    /// The name of the target for people.
    package var target: String
    /// Why it could not be written, as far as known.
    package var failure: SystemFailure?
    /// Whether another thread still writes it.
    package var hasThread: Bool
  }

  private let destination: Destination
  private let lines: TargetLines
  private let target: String
  /// Why a file could not be written; later lines are dropped.
  package private(set) var failure: SystemFailure?

  /// The closure to call with the operations whose lines the target has, and, of a regular file,
  /// with the part that the journal may vouch for.
  private let noted: Noted?

  package typealias Noted = @Sendable (_ operations: [Int], TargetExtent?) -> Void

  /// Takes lines for a target with a name for people; printers call the closures of their own
  /// options instead of `noted`.
  package init(
    _ destination: Destination,
    of lines: TargetLines = .results,
    named target: String = "",
    noted: Noted? = nil
  ) {
    (self.destination, self.lines, self.target) = (destination, lines, target)
    self.noted = noted
  }

  /// Whether it must be known which operations have lines.
  var isNoted: Bool { noted != nil }

  deinit {
    if case .file(let descriptor, _) = destination { Descriptors.close(descriptor) }
  }

  /// Whether the lines go to a regular file.
  package var isFile: Bool {
    if case .file = destination { return true }
    return false
  }

  /// Whether the lines go to a stream with other content.
  package var isShared: Bool {
    if case .shared = destination { return true }
    return false
  }

  /// Writes lines of operations, or hands them over.
  package func write(_ batch: LineBatch, of operations: [Int] = []) {
    switch destination {
    case .file(let descriptor, _): write(batch, of: operations, to: descriptor)
    case .own(let printer): write(batch, of: operations, to: printer, isError: false)
    case .shared(let printer, let isError):
      write(batch, of: operations, to: printer, isError: isError)
    }
  }

  private func write(_ batch: LineBatch, of operations: [Int], to descriptor: Int32) {
    var end: [UInt8] = []
    note { () throws(SystemFailure) in
      try batch.forEachPiece { piece throws(SystemFailure) in
        try SystemIO.writeAll(descriptor, piece)
        if noted != nil { TargetExtent.add(piece, to: &end) }
      }
    }
    guard let noted, confirm() else { return }
    // Another process may have added lines before these.
    let length = Descriptors.offset(of: descriptor)
    noted(operations, length.map { TargetExtent(length: $0, endingIn: end) })
  }

  private func write(
    _ batch: LineBatch,
    of operations: [Int],
    to printer: Printer,
    isError: Bool
  ) {
    if isError { printer.write(errorLines: batch) } else { printer.write(lines: batch) }
    guard isNoted, !operations.isEmpty, let role = lines.role else { return }
    printer.note(LineReceipt(role: role, operations: operations))
  }

  /// Ends the input.
  ///
  /// Also notes a failure that the system reports only when a file is closed.
  package func close() -> End {
    confirm()
    var end = End(lines: lines, target: target, failure: failure, hasThread: false)
    if case .own(let printer) = destination {
      printer.close()
      end.hasThread = true
    }
    return end
  }

  /// Whether the system has kept the lines of a regular file, as far as known.
  @discardableResult
  package func confirm() -> Bool {
    guard case .file(let descriptor, let isOwn) = destination else { return false }
    note { () throws(SystemFailure) in
      try Descriptors.confirmWrites(to: descriptor)
      if isOwn { try DurableFile.demandName(of: descriptor) }
    }
    return failure == nil
  }

  /// Does nothing after a failure.
  private func note(_ body: () throws(SystemFailure) -> Void) {
    guard failure == nil else { return }
    do throws(SystemFailure) {
      try body()
    } catch {
      failure = error
    }
  }
}

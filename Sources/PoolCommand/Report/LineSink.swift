import PoolJournal
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

  /// The role of the target, and the closure to call with the operations whose lines it has, and, of
  /// a regular file, with the part that the journal may vouch for.
  private let role: TargetRoles
  private let noted: Noted?

  typealias Noted = @Sendable (_ operations: [Int], TargetExtent?) -> Void

  /// Takes lines; printers call the closures of their own options instead of `noted`.
  init(_ destination: Destination, as role: TargetRoles = .results, noted: Noted? = nil) {
    (self.destination, self.role, self.noted) = (destination, role, noted)
  }

  /// Whether it must be known which operations have lines.
  var isNoted: Bool { noted != nil }

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

  /// Writes lines of operations, or hands them over.
  func write(_ lines: LineBatch, of operations: [Int] = []) {
    switch destination {
    case .file(let descriptor):
      var end: [UInt8] = []
      note { () throws(SystemFailure) in
        try lines.forEachPiece { piece throws(SystemFailure) in
          try SystemIO.writeAll(descriptor, piece)
          if noted != nil { TargetExtent.add(piece, to: &end) }
        }
      }
      guard let noted, confirm() else { return }
      // Another process may have added lines before these.
      let length = Descriptors.offset(of: descriptor)
      noted(operations, length.map { TargetExtent(length: $0, endingIn: end) })
    case .own(let printer): write(lines, of: operations, to: printer, isError: false)
    case .shared(let printer, let isError):
      write(lines, of: operations, to: printer, isError: isError)
    }
  }

  private func write(
    _ lines: LineBatch,
    of operations: [Int],
    to printer: Printer,
    isError: Bool
  ) {
    if isError { printer.write(errorLines: lines) } else { printer.write(lines: lines) }
    guard isNoted, !operations.isEmpty else { return }
    printer.note(LineReceipt(role: role, operations: operations))
  }

  /// Ends the input; returns whether another thread still writes it.
  ///
  /// Also notes a failure that the system reports only when a file is closed.
  func close() -> Bool {
    confirm()
    guard case .own(let printer) = destination else { return false }
    printer.close()
    return true
  }

  /// Whether the system has kept the lines of a regular file, as far as known.
  @discardableResult
  func confirm() -> Bool {
    guard case .file(let descriptor) = destination else { return false }
    note { () throws(SystemFailure) in try Descriptors.confirmWrites(to: descriptor) }
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

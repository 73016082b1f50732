import OperationPool
import PoolJournal
import PoolModel
import PoolSystem

/// The destination of lines that a run writes, found before anything is written, so that it cannot
/// be another file of the run.
enum LineTarget {
  /// The standard output or error stream.
  case stream(isError: Bool)
  case file(OverwriteTarget, path: [UInt8])

  /// Finds the destination that a path names, and checks that it is not another file of the run.
  ///
  /// A missing file is created; an existing one is not changed.
  init(
    _ path: [UInt8],
    as role: RunFiles.Role,
    _ files: inout RunFiles
  ) throws {
    guard path != Array("-".utf8) else {
      self = .stream(isError: false)
      return
    }
    if let number = OverwriteTarget.inherited(path), number == 1 || number == 2 {
      self = .stream(isError: number == 2)
      return
    }
    self = .file(try Self.open(path), path: path)
    if let stream = try check(role, &files) {
      discard()
      self = .stream(isError: stream == 2)
    }
  }

  private static func open(_ path: [UInt8]) throws(WorkloadRun.RunFailure) -> OverwriteTarget {
    do throws(SystemFailure) {
      return try OverwriteTarget(path: path)
    } catch {
      throw WorkloadRun.RunFailure(.output, "\(Printable.text(path)): \(error.reason)")
    }
  }

  /// Compares the file with the others; returns the stream that leads to the same file.
  private func check(
    _ role: RunFiles.Role,
    _ files: inout RunFiles
  ) throws -> Int32? {
    guard case .file(let file, let path) = self else { return nil }
    let identity = FileIdentity(file.descriptor)
    do throws(SharedFileError) {
      try files.add(role, identity, named: path)
      if file.isNew { try files.lookAgain() }
    } catch {
      discard()
      throw error
    }
    return [1, 2].first { FileIdentity($0) == identity }
  }

  /// Closes the destination; removes a file that was created for it.
  func discard() {
    if case .file(let file, _) = self { file.discard() }
  }

  /// Cuts a regular file to that length, if any, and returns where lines go from now on.
  ///
  /// A destination that may block gets a printer of its own, which is waited for as `writer`.
  func open(
    cutTo length: Int64?,
    as writer: StreamReaderWait.Writer,
    _ control: RunControl,
    beside printer: Printer,
    wrote: (@Sendable (LineReceipt) -> Void)? = nil
  ) throws -> LineSink.Destination {
    switch self {
    case .stream(let isError): return .shared(printer, isError: isError)
    case .file(let file, let path):
      do throws(SystemFailure) {
        try file.keep(length)
      } catch {
        file.discard()
        throw WorkloadRun.RunFailure(.output, "\(Printable.text(path)): \(error.reason)")
      }
      guard FileIdentity(file.descriptor)?.isRegular != true else { return .file(file.descriptor) }
      var options = Self.printing(to: file.descriptor, path, writer, control)
      options.wroteLines = wrote
      return .own(try Printer(options))
    }
  }

  /// The options of a printer for a destination that may block.
  private static func printing(
    to descriptor: Int32,
    _ path: [UInt8],
    _ writer: StreamReaderWait.Writer,
    _ control: RunControl
  ) -> Printer.Options {
    var options = Printer.Options()
    options.output = descriptor
    options.outputName = Printable.text(path)
    options.suspend = { control.change(.lines(writer), $0) }
    options.ended = {
      Descriptors.close(descriptor)
      control.readers.note(endOf: writer)
    }
    options.failed = { failure in
      control.end(as: .output)
      CurrentProcess.complain("opool: \(failure.stream): \(failure.failure.reason)")
    }
    return options
  }
}

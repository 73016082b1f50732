import OperationPool
import PoolModel
import PoolSystem

/// The destination of `--results`, found before anything is written, so that it cannot be another
/// file of the run.
enum ResultsTarget {
  /// The standard output or error stream.
  case stream(isError: Bool)
  case file(WrittenFile, path: [UInt8])

  /// Finds the destination, and checks that it is not another file of the run; nil without results.
  ///
  /// A missing file is created; an existing one is not changed.
  init?(_ options: SharedOptions, _ files: inout RunFiles) throws {
    // The journal may be created a moment later, as the file of the results if both names are of
    // one file.
    try files.add(.history, path: options.history)
    try files.addJournal(path: options.journal.path)
    guard let path = options.results else { return nil }
    guard path != Array("-".utf8) else {
      self = .stream(isError: false)
      return
    }
    if let number = WrittenFile.inherited(path), number == 1 || number == 2 {
      self = .stream(isError: number == 2)
      return
    }
    self = .file(try Self.open(path), path: path)
    if let stream = try check(options, &files) {
      discard()
      self = .stream(isError: stream == 2)
    }
  }

  private static func open(_ path: [UInt8]) throws(BatchRun.RunFailure) -> WrittenFile {
    do throws(SystemFailure) {
      return try WrittenFile(path: path)
    } catch {
      throw BatchRun.RunFailure(.output, "\(Printable.text(path)): \(error.reason)")
    }
  }

  /// Compares the file with the others; returns the stream that leads to the same file.
  private func check(_ options: SharedOptions, _ files: inout RunFiles) throws -> Int32? {
    guard case .file(let file, let path) = self else { return nil }
    let identity = FileIdentity(file.descriptor)
    do throws(SharedFileError) {
      try files.add(.results, identity, named: path)
      // Opening the results created it.
      if file.isNew { try files.addJournal(path: options.journal.path) }
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

  /// Empties the file, and makes the writer of results; the journal learns which lines a regular
  /// file has.
  func open(
    _ control: RunControl,
    _ journal: RunJournal?,
    beside printer: Printer
  ) throws -> sending ResultsFile {
    guard case .file(let file, let path) = self else {
      return ResultsFile(.shared(printer, isError: isErrorStream))
    }
    do throws(SystemFailure) {
      try file.empty()
    } catch {
      file.discard()
      throw BatchRun.RunFailure(.output, "\(Printable.text(path)): \(error.reason)")
    }
    guard FileIdentity(file.descriptor)?.isRegular != true else {
      guard let journal else { return ResultsFile(.file(file.descriptor)) }
      journal.expectResults()
      return ResultsFile(.file(file.descriptor)) { journal.note($0, by: .results) }
    }
    return ResultsFile(.own(try Self.printer(to: file.descriptor, path, control)))
  }

  private var isErrorStream: Bool {
    if case .stream(isError: true) = self { return true }
    return false
  }

  /// A printer for a destination that may block.
  private static func printer(
    to descriptor: Int32,
    _ path: [UInt8],
    _ control: RunControl
  ) throws(SystemFailure) -> Printer {
    var options = Printer.Options()
    options.output = descriptor
    options.outputName = Printable.text(path)
    options.suspend = { control.suspend(for: .results, while: $0) }
    options.ended = {
      Descriptors.close(descriptor)
      control.readers.note(endOf: .results)
    }
    options.failed = { failure in
      control.end(as: .output)
      CurrentProcess.complain("opool: \(failure.stream): \(failure.failure.reason)")
    }
    return try Printer(options)
  }
}

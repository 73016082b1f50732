import PoolInputs
import PoolJournal
import PoolModel
package import PoolSystem

/// The destination of lines that a run writes, found before anything is written, so that it cannot
/// be another file of the run.
package enum LineTarget {
  /// The standard output or error stream.
  case stream(isError: Bool)
  case file(OverwriteTarget, path: [UInt8])

  /// Finds the destination that a path names, and checks that it is not another file of the run.
  ///
  /// A missing file is created; an existing one is not changed.
  package init(
    _ path: [UInt8],
    of lines: TargetLines,
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
    if let stream = try check(.lines(lines), &files) {
      discard()
      self = .stream(isError: stream == 2)
    }
  }

  private static func open(_ path: [UInt8]) throws(RunFailure) -> OverwriteTarget {
    do throws(SystemFailure) {
      return try OverwriteTarget(path: path)
    } catch {
      throw RunFailure(.output, "\(Printable.text(path)): \(error.reason)")
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

  /// Whether both are the same standard stream.
  package func isSameStream(as other: Self) -> Bool {
    guard case .stream(let one) = self, case .stream(let two) = other else { return false }
    return one == two
  }

  /// Closes the destination; removes a file that was created for it.
  package func discard() {
    if case .file(let file, _) = self { file.discard() }
  }

  /// What the target is called in messages; nothing for a stream, which has its own messages.
  package var name: String {
    if case .file(_, let path) = self { Printable.text(path) } else { "" }
  }

  /// Cuts a regular file to that length, if any, and returns where lines go from now on.
  ///
  /// A destination that may block gets a printer of its own.
  package func open(
    cutTo length: Int64?,
    for lines: TargetLines,
    _ run: any ObservedRun,
    beside printer: Printer,
    wrote: (@Sendable (LineReceipt) -> Void)? = nil
  ) throws -> LineSink.Destination {
    switch self {
    case .stream(let isError): return .shared(printer, isError: isError)
    case .file(let file, _):
      do throws(SystemFailure) {
        try file.keep(length)
      } catch {
        file.discard()
        throw RunFailure(.output, "\(name): \(error.reason)")
      }
      guard FileIdentity(file.descriptor)?.isRegular != true else {
        // Some file systems count no names at all.
        let hasName = (try? DurableFile.demandName(of: file.descriptor)) != nil
        return .file(file.descriptor, isOwn: file.isOwn && hasName)
      }
      var options = printing(to: file.descriptor, lines, run)
      options.wroteLines = wrote
      return .own(try Printer(options))
    }
  }

  /// The options of a printer for a destination that may block.
  private func printing(
    to descriptor: Int32,
    _ lines: TargetLines,
    _ run: any ObservedRun
  ) -> Printer.Options {
    var options = Printer.Options()
    options.output = descriptor
    options.outputName = name
    options.suspend = { run.suspend(for: lines, while: $0) }
    options.ended = {
      Descriptors.close(descriptor)
      run.noteEnd(of: lines)
    }
    options.failed = { failure in
      run.end(as: .output)
      CurrentProcess.complain("opool: \(failure.stream): \(failure.failure.reason)")
    }
    return options
  }
}

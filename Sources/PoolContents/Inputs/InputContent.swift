import PoolSystem
package import PoolWire
import Synchronization

/// The product of an operation, as the input of other operations.
///
/// Filled when the operation has ended, and prepared on any thread before the first of the others
/// is dispatched. Its file is removed with the last reference.
package final class InputContent: Sendable {
  private enum Place {
    /// The operation has not ended.
    case awaited
    case here([UInt8])
    /// In a file without a name.
    case unnamed(OutputFile)
    case named(InputFile)
    /// There is no product, for this reason.
    case missing(String)
  }

  /// Inputs that are larger than this are passed as files to workers that accept them: 64 KiB.
  private static let fileThreshold = 64 << 10

  /// Whether it is a command's standard output; otherwise it is a result, as JSON.
  package let isOutput: Bool
  private let place = Mutex(Place.awaited)

  package init(isOutput: Bool) {
    self.isOutput = isOutput
  }

  /// Fills it from the outputs and the answer of the operation that has ended.
  ///
  /// Copies nothing. A file gets a name if possible, because more inputs may be waiting than a
  /// process may have open files.
  package func fill(output: @autoclosure () -> OutputContent, result: @autoclosure () -> [UInt8]?) {
    let place =
      isOutput ? Self.place(of: output()) : .here(result() ?? Array("null".utf8))
    self.place.withLock { $0 = place }
  }

  /// Fills it at once, with an output or a result, which may be packed: the operation had ended
  /// before its product was asked for.
  package func fill(with bytes: [UInt8]) {
    place.withLock { $0 = .here(bytes) }
  }

  private static func place(of output: OutputContent) -> Place {
    switch output {
    case .inline(let bytes): .here(bytes)
    case .file(let file): InputFile(naming: file).map { .named($0) } ?? .unnamed(file)
    case .unavailable(let reason): .missing(reason)
    case .lost: .missing("the worker is gone")
    case .rest: .missing("it was printed, and not kept")
    case .start: .missing("not all of it was kept: it was over its limit when this input was added")
    }
  }

  /// Puts a large product into a named file; fails if the closure returns false meanwhile.
  package func prepare(while isWanted: () -> Bool) throws(InputFailure) {
    try place.withLock { place throws(InputFailure) in
      place = try prepared(place, while: isWanted)
    }
  }

  private func prepared(
    _ place: Place,
    while isWanted: () -> Bool
  ) throws(InputFailure) -> Place {
    switch place {
    // An output may be any bytes, and is never packed.
    case .here(let bytes):
      try isOutput
        ? prepared(output: bytes, while: isWanted)
        : prepared(ResultContent(bytes), while: isWanted)
    case .unnamed(let file): .named(try InputFile(.file(file), while: isWanted))
    case .awaited: throw InputFailure("the operation that makes it has not ended")
    case .missing(let reason): throw InputFailure(reason)
    case .named: place
    }
  }

  private func prepared(
    output bytes: [UInt8],
    while isWanted: () -> Bool
  ) throws(InputFailure) -> Place {
    guard bytes.count > Self.fileThreshold else { return .here(bytes) }
    return .named(try InputFile(.inline(bytes), while: isWanted))
  }

  /// A large result becomes JSON only in its file.
  private func prepared(
    _ result: ResultContent,
    while isWanted: () -> Bool
  ) throws(InputFailure) -> Place {
    if result.isSmall, let json = try? result.json() { return .here(json) }
    return .named(
      try InputFile { descriptor throws(SystemFailure) in
        try result.forEachPiece(while: isWanted) { piece throws(SystemFailure) in
          try SystemIO.writeAll(descriptor, piece)
        }
      }
    )
  }

  /// The form for a worker: a file, if there is one and the worker accepts files.
  package func wire(asFile takesFiles: Bool) throws(InputFailure) -> NamedInput.Content {
    switch place.withLock({ $0 }) {
    case .named(let file) where takesFiles: return .file(file.path)
    case .named(let file): return inline(try file.content())
    case .here(let bytes): return inline(bytes)
    case .awaited, .unnamed, .missing: throw InputFailure("it was not prepared")
    }
  }

  /// The worker writes it to a file.
  private func inline(_ bytes: [UInt8]) -> NamedInput.Content {
    StaleFolders.expect()
    return isOutput ? .output(bytes) : .json(bytes)
  }
}

/// A file in a folder of its own, removed with its last reference.
private final class InputFile: Sendable {
  let path: [UInt8]
  private let folder: PrivateFolder

  /// Gives an output's own file a name; nil if that is impossible, or if the file has grown
  /// meanwhile.
  init?(naming file: OutputFile) {
    guard (try? Descriptors.size(of: file.descriptor)) == file.byteCount,
      let folder = try? PrivateFolder()
    else { return nil }
    guard let path = try? folder.link(file.descriptor, as: "input") else {
      folder.remove()
      return nil
    }
    self.path = path
    self.folder = folder
  }

  /// Copies an output into a new file.
  convenience init(_ content: OutputContent, while isWanted: () -> Bool) throws(InputFailure) {
    try self.init { descriptor throws(SystemFailure) in
      try content.copy(to: descriptor, while: isWanted)
    }
  }

  /// Lets the closure write a new file.
  init(_ write: (Int32) throws(SystemFailure) -> Void) throws(InputFailure) {
    do throws(SystemFailure) {
      let folder = try PrivateFolder()
      do throws(SystemFailure) {
        path = try Self.write(in: folder, write)
      } catch {
        folder.remove()
        throw error
      }
      self.folder = folder
    } catch {
      throw InputFailure("its file cannot be written: \(error)")
    }
  }

  deinit {
    folder.remove()
  }

  private static func write(
    in folder: PrivateFolder,
    _ body: (Int32) throws(SystemFailure) -> Void
  ) throws(SystemFailure) -> [UInt8] {
    let path = try folder.write([], to: "input")
    let descriptor = try Descriptors.createFile(path: path)
    defer { Descriptors.close(descriptor) }
    do throws(SystemFailure) {
      try body(descriptor)
      try Descriptors.confirmWrites(to: descriptor)
    } catch {
      throw TemporaryFolder.explain(error, of: descriptor)
    }
    return path
  }

  /// All bytes, for a worker that accepts no files.
  func content() throws(InputFailure) -> [UInt8] {
    do throws(SystemFailure) {
      let descriptor = try Descriptors.openFile(path: path)
      defer { Descriptors.close(descriptor) }
      let size = try Descriptors.size(of: descriptor)
      if size <= Frame.defaultLimit { return try SystemIO.readAll(descriptor) }
    } catch {
      throw InputFailure("its file cannot be read: \(error)")
    }
    throw InputFailure("its worker takes no files, and no frame can hold it")
  }
}

/// Why an operation cannot be given an input.
package struct InputFailure: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

package import PoolContents
package import PoolInputs
import PoolModel
package import PoolSystem
import PoolText
import Synchronization

/// The folder of `--results DIR/`: for each operation a folder with its outputs, laid out as by GNU
/// parallel.
package final class ResultsFolder: Sendable {
  /// Why the outputs of an operation could not be stored.
  package struct Failure: Error, CustomStringConvertible {
    package var path: [UInt8]
    package var reason: String
    /// Whether the writing was only told not to go on.
    package var isCancelled = false

    package var description: String { "\(Printable.text(path)): \(reason)" }
  }

  private static let sequence = Array("seq".utf8)
  private static let error = Array("stderr".utf8)
  private static let output = Array("stdout".utf8)
  private static let result = Array("result".utf8)

  let path: [UInt8]
  private let root: OutputFolder
  package let isNew: Bool
  private let folding: NameFolding
  private let paths: Mutex<ResultsPaths>

  /// Whether a value of `--results` names a folder: one that exists, or any with a slash at its
  /// end.
  package static func isNamed(_ path: [UInt8]) -> Bool {
    path.last == UInt8(ascii: "/") || OutputFolder.exists(path)
  }

  /// Opens the folder, and makes a missing one.
  package init(_ path: [UInt8]) throws(RunFailure) {
    self.path = path
    isNew = !OutputFolder.exists(path)
    do throws(SystemFailure) {
      root = try OutputFolder(path: path)
    } catch {
      throw RunFailure(.output, "\(Printable.text(path)): \(error.reason)")
    }
    folding = NameFolding(of: root)
    paths = Mutex(ResultsPaths(folding))
  }

  /// Removes the folder, if it was made for a run that does not begin.
  package func discard() {
    if isNew { OutputFolder.remove(path: path) }
  }

  /// Notes the operations, which come next in the workload.
  package func expect(_ operations: Range<Int>, of workload: any Workload) {
    paths.withLock { $0.add(operations, of: workload) }
  }

  /// Whether the output of an operation is there.
  package func has(_ operation: Int, in workload: any Workload) -> Bool {
    let names = paths.withLock { $0.names(of: operation, in: workload) }
    return root.hasFile(at: names + [Self.output])
  }

  /// The names of the folders of an operation, the outermost first.
  func names(of operation: Int, in workload: any Workload) -> [[UInt8]] {
    paths.withLock { $0.names(of: operation, in: workload) }
  }

  /// What to say of operations that were not executed again, and whose outputs are not there.
  package func absence(of count: Int) -> String {
    let outputs =
      count == 1
      ? "the output of 1 resumed operation is" : "the outputs of \(count) resumed operations are"
    return "opool: \(outputs) not in \(Printable.text(path)): an earlier run put them elsewhere"
  }

  /// The result of an operation of a kind, which may have none.
  package struct Result {
    package var content: ResultContent?

    package init(_ content: ResultContent?) { self.content = content }
  }

  /// Its numbers, for a journal.
  package var number: FileNumber? { root.number }

  /// Makes the disk have what was written.
  package func sync() throws(SystemFailure) { try root.sync() }

  /// Writes the files of an operation: its number, its result if it is of a kind, its error output,
  /// and, last, its output.
  ///
  /// Each file is whole when it has its name, and all are there when `stdout` is. An output that
  /// could not be fetched has no file. The closure is asked before each MiB: if it returns false,
  /// nothing more is written.
  package func write(
    _ outputs: OutputPair,
    _ result: Result?,
    of operation: Int,
    in workload: any Workload,
    while isWanted: () -> Bool
  ) throws(Failure) {
    let names = paths.withLock { $0.names(of: operation, in: workload) }
    var place = Array(path.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
    do throws(SystemFailure) {
      var folder = root
      for name in names {
        place += [UInt8(ascii: "/")] + name
        folder = try folder.folder(named: name)
      }
      guard Self.isOurs(folder) else { throw SystemFailure.alreadyExists("open") }
      let number = Array(String(operation + 1).utf8)
      try Self.write(.inline(number), to: Self.sequence, in: folder, &place, while: isWanted)
      if let result { try Self.write(result, in: folder, &place, while: isWanted) }
      try Self.write(outputs.error, to: Self.error, in: folder, &place, while: isWanted)
      try Self.write(outputs.output, to: Self.output, in: folder, &place, while: isWanted)
    } catch {
      let isForeign = error == SystemFailure.alreadyExists("open")
      let foreign = "it has files that are no results, which are left alone; name another folder"
      throw Failure(
        path: place,
        reason: isForeign ? foreign : error.reason,
        isCancelled: error == .cancelled
      )
    }
  }

  /// Whether a folder has no outputs yet, or those of another run, of opool or GNU parallel.
  private static func isOurs(_ folder: OutputFolder) -> Bool {
    if hasNumber(folder) { return true }
    let isEmpty = ![sequence, error, output].contains { folder.has($0) }
    // Meanwhile another run may have written its number, and then its outputs.
    return isEmpty || hasNumber(folder)
  }

  private static func hasNumber(_ folder: OutputFolder) -> Bool {
    // More bytes than any number and its line feed have.
    guard let text = folder.start(of: sequence, atMost: 21), text.count < 21 else { return false }
    let number = text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
    return !number.isEmpty && number.allSatisfy(DecimalParser.isDigit)
  }

  /// Writes the result, or removes that of an earlier execution.
  private static func write(
    _ result: Result,
    in folder: OutputFolder,
    _ place: inout [UInt8],
    while isWanted: () -> Bool
  ) throws(SystemFailure) {
    guard let content = result.content else { return folder.remove(Self.result) }
    try write(to: Self.result, in: folder, &place) { descriptor throws(SystemFailure) in
      try content.forEachPiece(while: isWanted) { piece throws(SystemFailure) in
        try SystemIO.writeAll(descriptor, piece)
      }
    }
  }

  /// Writes the file of an output, unless it could not be fetched.
  private static func write(
    _ content: OutputContent,
    to name: [UInt8],
    in folder: OutputFolder,
    _ place: inout [UInt8],
    while isWanted: () -> Bool
  ) throws(SystemFailure) {
    switch content {
    case .unavailable, .lost: return
    case .inline, .start, .file, .rest: break
    }
    try write(to: name, in: folder, &place) { descriptor throws(SystemFailure) in
      try content.copy(to: descriptor, while: isWanted)
    }
  }

  /// Lets the closure write a file; the path is that of the file while it is written.
  private static func write(
    to name: [UInt8],
    in folder: OutputFolder,
    _ place: inout [UInt8],
    _ body: (Int32) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    let length = place.count
    place += [UInt8(ascii: "/")] + name
    try folder.write(name, body)
    place.removeLast(place.count - length)
  }
}

extension ResultsFolder {
  /// Throws if a file is where the results of an operation are to be; nil is no file.
  ///
  /// Inputs that come later have folders with numbers.
  package func demandFree(
    _ file: [UInt8]?,
    as option: String,
    in workload: any Workload
  ) throws(RunFailure) {
    guard let file, let names = FilePath.relativeComponents(of: file, in: path) else { return }
    var known = ResultsPaths(folding)
    known.add(0..<workload.count, of: workload)
    let isTaken =
      names.count > 1 || names[0].allSatisfy { DecimalParser.isDigit($0) }
      || (0..<workload.count).contains { known.names(of: $0, in: workload).first == names[0] }
    guard isTaken else { return }
    let reason = "that is where --results puts outputs of operations; name another file"
    throw RunFailure(.usage, "\(option) \(Printable.text(file)): \(reason)")
  }
}

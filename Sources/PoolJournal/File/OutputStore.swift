import PoolModel
package import PoolSystem
import Synchronization

/// The file beside a journal for outputs too large for a record, until they are printed.
///
/// Outputs are appended and never moved, so that records stay correct; the space of printed ones is
/// freed from the beginning on. The file is removed when it has no outputs.
package final class OutputStore: Sendable {
  /// Passes an output to the closure, in pieces.
  package typealias Source = (
    _ body: (UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) -> Void

  private struct State {
    var file: OutputStoreFile?
    /// The kept outputs, in the order of their offsets.
    var live: [(id: KeptOutputID, range: Range<Int64>)] = []
    /// The end of the freed part of the file.
    var freedEnd: Int64 = 0
    var end = Int64(OutputStoreFile.header.count)
    var isSynced = true
  }

  /// The path of the file, which need not exist.
  package let path: [UInt8]
  private let state: Mutex<State>
  /// Locked while an output is appended, which may take long.
  private let appending = Mutex(())
  /// Number of bytes that are freed at once: 1 MiB.
  private static let freeingSize: Int64 = 1 << 20

  /// Continues with these outputs of the file, which were checked; truncates the rest.
  package init(
    path: [UInt8],
    holding outputs: [(id: KeptOutputID, place: KeptOutput.FilePlace)]
  ) throws(SystemFailure) {
    self.path = path
    var state = State()
    state.live = outputs.map { ($0.id, $0.place.range) }.sorted {
      $0.range.lowerBound < $1.range.lowerBound
    }
    state.end = state.live.reduce(state.end) { max($0, $1.range.upperBound) }
    if let file = try OutputStoreFile(existingAt: path) {
      if outputs.isEmpty {
        FilePath.remove(path)
      } else {
        try DurableFile.cut(file.descriptor, to: state.end)
        state.file = file
      }
    }
    self.state = Mutex(state)
  }

  /// Keeps the outputs of an operation until they are released.
  ///
  /// On failure, the file has nothing of them.
  package func keep(
    _ id: KeptOutputID,
    output: Source,
    error: Source,
    result: Source = { _ in }
  ) throws(SystemFailure) -> KeptOutput.FilePlace {
    try appending.withLock { _ throws(SystemFailure) in
      let (file, end) = try state.withLock { state throws(SystemFailure) in
        (try Self.open(&state, path), state.end)
      }
      let place: KeptOutput.FilePlace
      do throws(SystemFailure) {
        place = try Self.append(output, error, result, to: file, at: end)
      } catch {
        try? DurableFile.cut(file.descriptor, to: end)
        throw error
      }
      state.withLock { state in
        state.isSynced = false
        state.end = place.range.upperBound
        state.live.append((id, place.range))
      }
      return place
    }
  }

  private static func append(
    _ output: Source,
    _ error: Source,
    _ result: Source,
    to file: OutputStoreFile,
    at end: Int64
  ) throws(SystemFailure) -> KeptOutput.FilePlace {
    var place = KeptOutput.FilePlace(at: end)
    try output { piece throws(SystemFailure) in
      try file.append(piece, &place.checksum)
      place.outputCount += Int64(piece.count)
    }
    try error { piece throws(SystemFailure) in
      try file.append(piece, &place.checksum)
      place.errorCount += Int64(piece.count)
    }
    try result { piece throws(SystemFailure) in
      try file.append(piece, &place.checksum)
      place.resultCount = (place.resultCount ?? 0) + Int64(piece.count)
    }
    return place
  }

  /// Creates the file when it is first needed.
  private static func open(
    _ state: inout State,
    _ path: [UInt8]
  ) throws(SystemFailure) -> OutputStoreFile {
    if let file = state.file { return file }
    let file = try OutputStoreFile(newAt: path)
    state.file = file
    return file
  }

  /// Syncs all kept outputs.
  package func sync() throws(SystemFailure) {
    let file: OutputStoreFile? = state.withLock { state in
      guard !state.isSynced else { return nil }
      state.isSynced = true
      return state.file
    }
    try file?.sync(path)
  }

  /// Opens a separate descriptor to read the outputs; nil if there are none.
  package func reader() throws(SystemFailure) -> Int32? {
    guard let file = state.withLock({ $0.file }) else { return nil }
    return try Descriptors.duplicate(file.descriptor)
  }

  /// Releases these outputs: they were printed, and that is on record.
  func release(_ outputs: [KeptOutputID]) {
    let released = Set(outputs)
    state.withLock { state in
      guard let file = state.file else { return }
      state.live.removeAll { released.contains($0.id) }
      let start = state.live.first?.range.lowerBound ?? state.end
      guard start - state.freedEnd >= Self.freeingSize else { return }
      // The first line stays.
      let first = max(state.freedEnd, Int64(OutputStoreFile.header.count))
      DurableFile.punch(file.descriptor, first..<start)
      state.freedEnd = start
    }
  }

  /// Removes the file if it has no outputs.
  func close() {
    state.withLock { state in
      guard state.live.isEmpty, state.file != nil else { return }
      FilePath.remove(path)
      state.file = nil
    }
  }
}

import PoolSystem
package import PoolWire

/// The outputs that a journal keeps because they were not printed.
package struct KeptOutputs: Sendable {
  /// An output that cannot be read.
  package struct Lost: Hashable, Sendable {
    package var key: ContentDigest
    /// The identifier of the operation.
    package var id: [UInt8]
    package var reason: String
  }

  /// The file of outputs too large for a record.
  package let path: [UInt8]
  /// Readable outputs in that file.
  let inFile: [(id: KeptOutputID, place: KeptOutput.FilePlace)]
  /// Unreadable outputs.
  package let lost: [Lost]
  /// Number of all outputs.
  package let count: Int

  /// Finds all outputs of a journal at this path.
  private init(
    of state: JournalState,
    in bytes: [UInt8],
    at journal: [UInt8]
  ) throws(SystemFailure) {
    path = Self.path(beside: try FilePath.resolve(journal))
    let ends = state.unprintedEnds(in: bytes)
    count = ends.count
    typealias Found = (JournalEnd, KeptOutput.FilePlace)
    let places = ends.compactMap { end -> Found? in
      guard case .file(let place)? = end.kept?.place else { return nil }
      return (end, place)
    }
    (inFile, lost) = Self.sort(places, path)
  }

  /// The same, for `opool journal`.
  package static func find(
    of state: JournalState,
    in bytes: [UInt8],
    at journal: [UInt8]
  ) throws(JournalError) -> Self {
    do throws(SystemFailure) {
      return try Self(of: state, in: bytes, at: journal)
    } catch {
      throw JournalError(error)
    }
  }

  /// The path of the file beside a journal, whose path has no symbolic links.
  package static func path(beside journal: [UInt8]) -> [UInt8] { journal + Array(".outputs".utf8) }

  private static func sort(
    _ places: [(JournalEnd, KeptOutput.FilePlace)],
    _ path: [UInt8]
  ) -> (inFile: [(id: KeptOutputID, place: KeptOutput.FilePlace)], lost: [Lost]) {
    guard !places.isEmpty else { return ([], []) }
    var file: OutputStoreFile?
    var obstacle = "it is missing"
    do throws(SystemFailure) {
      file = try OutputStoreFile(existingAt: path)
    } catch {
      obstacle = error.reason
    }
    var inFile: [(id: KeptOutputID, place: KeptOutput.FilePlace)] = []
    var lost: [Lost] = []
    for (end, place) in places {
      guard let id = end.keptID else { continue }
      if let reason = file.map({ $0.trouble(with: place) }) ?? obstacle {
        lost.append(Lost(key: end.key, id: end.id, reason: reason))
      } else {
        inFile.append((id, place))
      }
    }
    return (inFile, lost)
  }

  /// The name of the file of outputs, for people.
  package var name: String { String(decoding: path, as: UTF8.self) }

  /// Sentences for people about unreadable outputs.
  var notes: [String] {
    lost.map { lost in
      let id = String(decoding: lost.id, as: UTF8.self)
      return "what '\(id)' wrote was not printed, and cannot be read from \(name): \(lost.reason)"
        + "; left out"
    }
  }

  /// Throws if an output cannot be read.
  package func demandWhole() throws(JournalError) {
    guard let first = lost.first else { return }
    let id = String(decoding: first.id, as: UTF8.self)
    throw JournalError(
      .lostOutputs,
      "unprinted outputs that cannot be read: \(lost.count), first that of '\(id)' from "
        + "\(name): \(first.reason); --salvage executes those operations again"
    )
  }
}

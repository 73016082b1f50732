import PoolSystem

/// The outputs that a journal keeps because nobody has printed them, as they are found.
package struct KeptOutputs: Sendable {
  /// One that cannot be read.
  package struct Lost: Hashable, Sendable {
    package var key: ContentDigest
    /// What the operation was called.
    package var id: [UInt8]
    package var reason: String
  }

  /// Where those too large for a record are.
  package let path: [UInt8]
  /// Those that can be read, and are in that file.
  let inFile: [(id: KeptOutputID, place: KeptOutput.FilePlace)]
  /// Those that cannot be read.
  package let lost: [Lost]
  /// How many there are in all.
  package let count: Int

  /// Looks for all outputs of a journal at this path.
  private init(of state: JournalState, at journal: [UInt8]) throws(SystemFailure) {
    path = Self.path(beside: try DurableFile.resolve(journal))
    let settlements = state.unprintedSettlements
    count = settlements.count
    typealias Found = (JournalSettlement, KeptOutput.FilePlace)
    let places = settlements.compactMap { settlement -> Found? in
      guard case .file(let place)? = settlement.kept?.place else { return nil }
      return (settlement, place)
    }
    (inFile, lost) = Self.sort(places, path)
  }

  /// The same, for those who look after journals.
  package static func find(
    of state: JournalState,
    at journal: [UInt8]
  ) throws(JournalError) -> Self {
    do throws(SystemFailure) {
      return try Self(of: state, at: journal)
    } catch {
      throw JournalError(error)
    }
  }

  /// The path of the file beside a journal, whose path has no links.
  package static func path(beside journal: [UInt8]) -> [UInt8] { journal + Array(".outputs".utf8) }

  private static func sort(
    _ places: [(JournalSettlement, KeptOutput.FilePlace)],
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
    for (settlement, place) in places {
      guard let id = settlement.keptID else { continue }
      if let reason = file.map({ $0.trouble(with: place) }) ?? obstacle {
        lost.append(Lost(key: settlement.key, id: settlement.id, reason: reason))
      } else {
        inFile.append((id, place))
      }
    }
    return (inFile, lost)
  }

  /// Where those too large for a record are, for people.
  package var name: String { String(decoding: path, as: UTF8.self) }

  /// What cannot be read, in sentences for people.
  var notes: [String] {
    lost.map { lost in
      let id = String(decoding: lost.id, as: UTF8.self)
      return "what '\(id)' wrote was not printed, and cannot be read from \(name): \(lost.reason)"
        + "; left out"
    }
  }

  /// Throws where one cannot be read.
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

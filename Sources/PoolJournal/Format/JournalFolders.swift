package import PoolWire

/// The folders in which the owners of a journal have executed commands.
///
/// A relative command means something else in another folder, so outcomes of other folders do not
/// count, unless a later owner has said that they do.
struct JournalFolders: Sendable {
  /// The folder of each owner that has said one.
  private var folders: [UInt64: [UInt8]] = [:]

  /// An owner begins.
  mutating func note(_ opening: JournalOpening) {
    guard let folder = opening.folder else { return }
    folders[opening.epoch] = folder
    guard opening.takesOtherFolders else { return }
    for epoch in folders.keys { folders[epoch] = folder }
  }

  /// The folder of an owner, if it is known not to be this one; an unknown folder is any.
  func other(of epoch: UInt64, than folder: [UInt8]?) -> [UInt8]? {
    guard let folder, let own = folders[epoch], own != folder else { return nil }
    return own
  }
}

extension JournalState {
  /// The outcome of an operation for a run whose commands execute in a folder, or in any if that is
  /// nil.
  package func outcome(of key: ContentDigest, in folder: [UInt8]?) -> JournalOutcome? {
    guard let outcome = outcomes[key] else { return nil }
    return folders.other(of: outcome.epoch, than: folder) == nil ? outcome : nil
  }

  /// The folder of outcomes that do not count in this one; nil if all do.
  package func otherFolder(than folder: [UInt8]?) -> [UInt8]? {
    guard folder != nil else { return nil }
    let owners = Set(outcomes.values.map(\.epoch))
    return owners.sorted().reversed().lazy.compactMap { folders.other(of: $0, than: folder) }.first
  }
}

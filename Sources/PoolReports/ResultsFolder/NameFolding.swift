import PoolSystem

/// What a file system does not tell apart in the names of files.
struct NameFolding: Hashable, Sendable {
  /// Whether `README` and `readme` are one name, as on macOS and SMB.
  var ignoresCase = false
  /// Whether a letter with an accent, and the letter followed by the accent, are one name.
  var ignoresNormalization = false

  /// A number that paths have in common if the file system takes them for one.
  ///
  /// Paths that it tells apart may have the same number, too.
  func hash(of path: [[UInt8]]) -> Int {
    guard ignoresCase || ignoresNormalization else { return path.hashValue }
    var hasher = Hasher()
    for name in path {
      var text = String(decoding: name, as: UTF8.self)
      // By both, letters are one that either alone tells apart, such as those of `ß` and `SS`.
      if ignoresCase { text = text.uppercased().lowercased() }
      // Strings are equal if they differ only in normalization.
      if ignoresNormalization { hasher.combine(text) } else { hasher.combine(Array(text.utf8)) }
    }
    return hasher.finalize()
  }
}

extension NameFolding {
  /// Finds out what the file system of a folder does.
  init(of folder: OutputFolder) {
    ignoresCase = folder.unites("a", with: "A")
    ignoresNormalization = folder.unites("\u{E9}", with: "e\u{301}")
  }
}

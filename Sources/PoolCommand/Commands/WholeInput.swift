import PoolInputs
package import PoolSystem

/// Reads whole inputs that a run needs before it can begin.
///
/// From a pipe, or from a FIFO without a writer, this may take forever; see ``RunPreparation``.
package enum WholeInput {
  /// A manifest: its name in errors, its bytes, and its file.
  struct ManifestFile: Sendable {
    var name: [UInt8]
    var text: [UInt8]
    var identity: FileIdentity?
  }

  /// Reads a manifest.
  static func manifest(_ source: RunOptions.Source) throws(SystemFailure) -> ManifestFile {
    let file = try InputFile(source.path)
    defer { file.close() }
    let text = try lines(file.descriptor)
    return ManifestFile(name: source.name, text: text, identity: file.identity)
  }

  /// Reads to the end, or until a line is longer than a manifest allows.
  package static func lines(
    _ descriptor: Int32,
    lineLimit: Int = Manifest.lineLimit
  ) throws(SystemFailure) -> [UInt8] {
    var bytes = try SystemIO.roomForAll(of: descriptor)
    var length = 0
    try SystemIO.readPieces(descriptor) { piece in
      bytes.append(contentsOf: piece)
      let feed = piece.lastIndex(of: UInt8(ascii: "\n"))
      length = feed.map { piece.count - 1 - $0 } ?? length + piece.count
      return length <= lineLimit
    }
    return bytes
  }
}

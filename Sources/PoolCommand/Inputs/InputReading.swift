package import PoolSystem

/// Reads what a run needs before it can begin.
///
/// From a pipe, or from a FIFO without a writer, this may take for ever.
package enum InputReading {
  /// A manifest: its name in errors, its bytes, and its file.
  struct ManifestFile: Sendable {
    var name: [UInt8]
    var text: [UInt8]
    var identity: FileIdentity?
  }

  /// Returns what the body returns; nil if the deadline, a time of `MonotonicClock`, passes first.
  ///
  /// After the deadline, the body continues on its own thread until the process exits.
  package static func beforeDeadline<Value: Sendable>(
    _ deadline: Int64?,
    _ body: @escaping @Sendable () -> Value
  ) -> Value? {
    guard let deadline else { return body() }
    let result = Monitor<Value?>(nil)
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-reader", mask: .full) {
        let value = body()
        result.withLock { $0 = value }
        result.broadcast()
      }.detach()
    } catch {
      return body()
    }
    _ = result.wait(until: deadline, while: { $0 == nil })
    return result.withLock { $0 }
  }

  /// Reads a manifest.
  static func manifest(_ source: RunOptions.Source) throws(SystemFailure) -> ManifestFile {
    switch source {
    case .standardInput:
      return ManifestFile(name: Array("-".utf8), text: try lines(0), identity: FileIdentity(0))
    case .file(let path):
      let descriptor = try Descriptors.openFile(path: path)
      defer { Descriptors.close(descriptor) }
      return ManifestFile(
        name: path,
        text: try lines(descriptor),
        identity: FileIdentity(descriptor)
      )
    }
  }

  /// Reads to the end, or until a line is longer than a manifest allows.
  package static func lines(
    _ descriptor: Int32,
    lineLimit: Int = Manifest.lineLimit
  ) throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    if let size = try? Descriptors.size(of: descriptor) { bytes.reserveCapacity(Int(size)) }
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

import PoolSystem

/// Files that are read whole, because they say little: a number, or names of hosts.
enum SmallFile {
  /// The first bytes of a file: at least so many, if it has them.
  static func start(of path: [UInt8], atLeast count: Int) throws(SystemFailure) -> [UInt8] {
    let descriptor = try Descriptors.openFile(path: path)
    defer { Descriptors.close(descriptor) }
    var bytes: [UInt8] = []
    try SystemIO.readPieces(descriptor) { piece in
      bytes.append(contentsOf: piece)
      return bytes.count < count
    }
    return bytes
  }
}

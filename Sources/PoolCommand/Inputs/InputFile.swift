import PoolSystem

/// A file, or the standard input, that a run reads: inputs, blocks or a manifest.
struct InputFile {
  /// Its name; nil for the standard input.
  let name: [UInt8]?
  let descriptor: Int32
  let identity: FileIdentity?

  /// Opens the file; without a name, takes the standard input.
  init(_ name: [UInt8]?) throws(SystemFailure) {
    self.name = name
    descriptor = if let name { try Descriptors.openFile(path: name) } else { 0 }
    identity = FileIdentity(descriptor)
  }

  /// Closes the file; the standard input stays open.
  func close() {
    if name != nil { Descriptors.close(descriptor) }
  }
}

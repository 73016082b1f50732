package import PoolSystem

/// A file, or the standard input, that a run reads: inputs, blocks or a manifest.
package struct InputFile {
  /// Its name; nil for the standard input.
  package let name: [UInt8]?
  package let descriptor: Int32
  package let identity: FileIdentity?

  /// Opens the file; without a name, takes the standard input.
  package init(_ name: [UInt8]?) throws(SystemFailure) {
    self.name = name
    descriptor = if let name { try Descriptors.openFile(path: name) } else { 0 }
    identity = FileIdentity(descriptor)
  }

  /// Closes the file; the standard input stays open.
  package func close() {
    if name != nil { Descriptors.close(descriptor) }
  }
}

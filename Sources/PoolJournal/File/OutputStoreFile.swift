import PoolSystem

/// The open file of outputs, which begins with a line that says what it is.
final class OutputStoreFile: Sendable {
  /// The first line.
  static let header = Array("opool-outputs 1\n".utf8)

  let descriptor: Int32
  /// Whether the disk may not know its name.
  private let isNew: Bool

  private init(_ descriptor: Int32, isNew: Bool) {
    self.descriptor = descriptor
    self.isNew = isNew
  }

  deinit { Descriptors.close(descriptor) }

  /// Makes the file, or empties one that was left; one that is something else is refused.
  convenience init(newAt path: [UInt8]) throws(SystemFailure) {
    self.init(try DurableFile.openUnlinked(path: path), isNew: true)
    try refuseForeign()
    try DurableFile.cut(descriptor, to: 0)
    try SystemIO.writeAll(descriptor, Self.header)
  }

  /// Opens the file if there is one; one that is something else is refused.
  convenience init?(existingAt path: [UInt8]) throws(SystemFailure) {
    guard DurableFile.exists(path) else { return nil }
    self.init(try DurableFile.openUnlinked(path: path), isNew: false)
    try refuseForeign()
  }

  /// A file that begins with something else is somebody's own.
  private func refuseForeign() throws(SystemFailure) {
    var start: [UInt8] = []
    try SystemIO.forEachPiece(of: descriptor, 0..<Int64(Self.header.count)) { start += $0 }
    guard Self.header.starts(with: start) || start.allSatisfy({ $0 == 0 }) else {
      throw DurableFile.foreign("use it for outputs of a journal")
    }
  }

  func append(_ piece: UnsafeRawBufferPointer, _ checksum: inout UInt32) throws(SystemFailure) {
    try SystemIO.writeAll(descriptor, piece)
    checksum = CastagnoliChecksum.of(piece, after: checksum)
  }

  func sync(_ path: [UInt8]) throws(SystemFailure) {
    try DurableFile.sync(descriptor)
    if isNew { try DurableFile.syncFolder(of: path, holding: descriptor) }
  }

  /// Why an output that should be here cannot be read as it was; nil where it can.
  func trouble(with place: KeptOutput.FilePlace) -> String? {
    var checksum: UInt32 = 0
    var count = 0
    do throws(SystemFailure) {
      try SystemIO.forEachPiece(of: descriptor, place.range) { piece throws(SystemFailure) in
        checksum = CastagnoliChecksum.of(piece, after: checksum)
        count += piece.count
      }
    } catch {
      return error.reason
    }
    if count < place.range.count { return "it is too short" }
    return checksum == place.checksum ? nil : "it is damaged"
  }
}

import PoolSystem
import PoolWire

/// The open file of outputs, whose first line identifies it.
final class OutputStoreFile: Sendable {
  /// The first line.
  static let header = Array("opool-outputs 1\n".utf8)

  let descriptor: Int32
  /// Whether its name may not be synced.
  private let isNew: Bool

  private init(_ descriptor: Int32, isNew: Bool) {
    self.descriptor = descriptor
    self.isNew = isNew
  }

  deinit { Descriptors.close(descriptor) }

  /// Creates the file, or empties a leftover one; refuses a file of another type.
  convenience init(newAt path: [UInt8]) throws(SystemFailure) {
    self.init(try DurableFile.openUnlinked(path: path), isNew: true)
    try refuseForeign()
    try DurableFile.cut(descriptor, to: 0)
    try SystemIO.writeAll(descriptor, Self.header)
  }

  /// Opens an existing file; refuses a file of another type.
  convenience init?(existingAt path: [UInt8]) throws(SystemFailure) {
    guard FilePath.exists(path) else { return nil }
    self.init(try DurableFile.openUnlinked(path: path), isNew: false)
    try refuseForeign()
  }

  /// Refuses a file with another beginning: it is the user's.
  private func refuseForeign() throws(SystemFailure) {
    var start: [UInt8] = []
    try SystemIO.forEachPiece(of: descriptor, 0..<Int64(Self.header.count)) { start += $0 }
    guard Self.header.starts(with: start) || start.allSatisfy({ $0 == 0 }) else {
      throw SystemFailure.alreadyExists("use it for outputs of a journal")
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

  /// Why an output cannot be read unchanged; nil if it can.
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

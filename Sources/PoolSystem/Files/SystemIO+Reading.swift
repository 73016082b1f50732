extension SystemIO {
  /// Reads everything up to the end.
  ///
  /// Throws `ENOMEM`, before it reads, if the file is larger than the memory.
  package static func readAll(_ descriptor: Int32) throws(SystemFailure) -> [UInt8] {
    var bytes = try roomForAll(of: descriptor)
    try readPieces(descriptor) { piece in
      bytes.append(contentsOf: piece)
      return true
    }
    return bytes
  }

  /// An empty array with room for all of a file; throws `ENOMEM` if the file, which may be sparse,
  /// is larger than the memory.
  package static func roomForAll(of descriptor: Int32) throws(SystemFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    if let size = try? Descriptors.size(of: descriptor) {
      try ProcessMemory.demand(forFileOf: size)
      bytes.reserveCapacity(Int(size))
    }
    return bytes
  }
}

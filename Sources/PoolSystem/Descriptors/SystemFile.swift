/// Small texts of the system, such as those in `/proc`.
enum SystemFile {
  /// The whole text; nil if there is no such file, or if it cannot be read.
  static func read(_ path: String) -> String? {
    LockWatch.assertUnlocked()
    guard let descriptor = try? Descriptors.openFile(path: Array(path.utf8)) else { return nil }
    defer { Descriptors.close(descriptor) }
    var bytes: [UInt8] = []
    let isRead: ()? = try? SystemIO.readPieces(descriptor) { piece in
      bytes.append(contentsOf: piece)
      return true
    }
    return isRead.map { String(decoding: bytes, as: UTF8.self) }
  }

  /// The number behind a name at the start of a line.
  static func value(of name: String, in text: String) -> Int64? {
    for line in text.split(separator: "\n") {
      let words = line.split { $0.isWhitespace }
      if words.count > 1, words[0] == name { return Int64(words[1]) }
    }
    return nil
  }
}

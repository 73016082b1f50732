/// Small texts of the system, such as those in `/proc`.
enum SystemFile {
  /// The whole text; nil if there is no such file, or if it cannot be read.
  static func read(_ path: String) -> String? {
    LockWatch.assertUnlocked()
    guard let descriptor = try? Descriptors.openFile(path: Array(path.utf8)) else { return nil }
    defer { Descriptors.close(descriptor) }
    return (try? SystemIO.readAll(descriptor)).map { String(decoding: $0, as: UTF8.self) }
  }
}

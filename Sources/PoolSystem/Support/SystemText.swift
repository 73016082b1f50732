/// Small texts that the system keeps in files of its own, such as those in `/proc`.
enum SystemText {
  /// The whole text; nil where there is no such file, or none that may be read.
  static func read(_ path: String) -> String? {
    LockWatch.assertUnlocked()
    guard let descriptor = try? Descriptors.openFile(path: Array(path.utf8)) else { return nil }
    defer { Descriptors.close(descriptor) }
    return (try? SystemIO.readAll(descriptor)).map { String(decoding: $0, as: UTF8.self) }
  }
}

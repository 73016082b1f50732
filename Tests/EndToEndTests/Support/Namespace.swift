import Foundation

/// A name space of mounts of a test's own, in which it is root, without being root outside.
enum Namespace {
  /// Whether this system gives one to any user, and lets file systems be mounted there.
  static let isPermitted = Result {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "\(enter) mount -t tmpfs none /mnt 2>/dev/null"]
    try shell.run()
    shell.waitUntilExit()
    return shell.terminationStatus == 0
  }.isTrue

  /// What a command is put behind to be executed there.
  static let enter = "unshare -rm"
}

extension Result where Success == Bool {
  fileprivate var isTrue: Bool { (try? get()) ?? false }
}

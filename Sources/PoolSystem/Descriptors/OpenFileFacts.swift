/// Linux's data about an open file of a process: `/proc/PID/fdinfo/N`.
package struct OpenFileFacts: Hashable, Sendable {
  /// The flags that it was opened with.
  private let flags: Int32
  /// The numbers of the file and of its mount; nil if the kernel does not state them.
  private let file: String?
  private let mount: String?

  /// The facts of the file that a process has under a descriptor number; nil if there are none.
  package init?(_ descriptor: Int32, of process: String) {
    guard let text = SystemFile.read("/proc/\(process)/fdinfo/\(descriptor)") else { return nil }
    self.init(text)
  }

  /// Parses lines such as `flags:` with an octal number.
  package init?(_ text: String) {
    var (flags, file, mount): (Int32?, String?, String?)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: ":", maxSplits: 1)
      guard words.count == 2 else { continue }
      let value = words[1].drop { $0 == "\t" || $0 == " " }
      switch words[0] {
      case "flags": flags = Int32(value, radix: 8)
      case "ino": file = String(value)
      case "mnt_id": mount = String(value)
      default: break
      }
    }
    guard let flags else { return nil }
    (self.flags, self.file, self.mount) = (flags, file, mount)
  }

  /// Whether the process may read the file by that descriptor and, if asked for, write to it.
  package func allows(writing: Bool) -> Bool {
    // Linux's numbers, because not all C libraries name them: 0 reads, 1 writes, 2 does both. A
    // file opened with O_PATH was only looked up.
    let (mode, isPlace) = (flags & 3, flags & 0o10_000_000 != 0)
    return !isPlace && (mode == 2 || mode == 0 && !writing)
  }

  /// Whether both are the same file, as far as the kernel tells (from Linux 5.14 on).
  package func isSameFile(as other: Self) -> Bool {
    file == other.file && mount == other.mount
  }
}

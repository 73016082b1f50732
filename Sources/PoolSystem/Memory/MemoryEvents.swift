/// Counts of processes that the system killed because memory ran out.
package enum MemoryEvents {
  /// Number of processes killed so far in this process's cgroup; nil if unknown.
  package static var killCount: Int? {
    let groups = SystemText.read("/proc/self/cgroup")?.split(separator: "\n")
    guard let path = groups?.first(where: { $0.hasPrefix("0::") })?.dropFirst(3) else {
      return nil
    }
    return SystemText.read("/sys/fs/cgroup\(path)/memory.events").flatMap { count(in: $0) }
  }

  /// The count in the text of a `memory.events` file.
  package static func count(in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "oom_kill" { return Int(words[1]) }
    }
    return nil
  }
}

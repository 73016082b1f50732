/// What the system says of processes that it killed for want of memory.
package enum MemoryEvents {
  /// How many it has killed in this process's group of processes (its cgroup) so far; nil where the
  /// system does not say.
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

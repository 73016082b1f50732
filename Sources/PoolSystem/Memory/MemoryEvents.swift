/// Counts of processes that the system killed because memory ran out.
package enum MemoryEvents {
  /// The file of this process's cgroup; nil if the system has none.
  private static let path = ControlGroup.own.first { $0.version == .two }
    .flatMap(\.folders.last).map { "\($0)/memory.events" }

  /// Number of processes killed so far in this process's cgroup; nil if unknown.
  package static var killCount: Int? {
    path.flatMap { SystemFile.read($0) }.flatMap { count(in: $0) }
  }

  /// The count in the text of a `memory.events` file.
  package static func count(in text: String) -> Int? {
    SystemFile.value(of: "oom_kill", in: text).map { Int($0) }
  }
}

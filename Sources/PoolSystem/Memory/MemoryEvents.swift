/// Counts of processes that the system killed because memory ran out.
package enum MemoryEvents {
  /// The file of this process's cgroup; nil if the system has none.
  private static let path = ControlGroup.own(limiting: .memory).first.flatMap { group in
    group.folders.last.map { "\($0)/\(file(of: group.version))" }
  }

  /// The name of the file with the count.
  private static func file(of version: ControlGroup.Version) -> String {
    version == .two ? "memory.events" : "memory.oom_control"
  }

  /// Number of processes killed so far in this process's cgroup; nil if unknown.
  package static var killCount: Int? {
    path.flatMap { SystemFile.read($0) }.flatMap { count(in: $0) }
  }

  /// The count in the text of a `memory.events` file, or, in version 1, `memory.oom_control`.
  package static func count(in text: String) -> Int? {
    SystemFile.value(of: "oom_kill", in: text).map { Int($0) }
  }
}

import PoolModel

/// Programs that carry a worker's two streams from another machine.
enum Carrier {
  /// Those that may wait for a machine, or for its network, for as long as the user lets them.
  private static let waiting: Set<Substring> = ["ssh", "srun", "salloc"]

  /// Whether a shell command begins with one that may wait: what it starts is pending meanwhile,
  /// not broken.
  ///
  /// Assignments of variables and `exec` may come before it.
  static func mayWait(_ command: String) -> Bool {
    let words = command.split { $0 == " " || $0 == "\t" || $0 == "\n" }
    let first = words.first { $0 != "exec" && !$0.contains("=") }
    return first.map { waiting.contains($0.split(separator: "/").last ?? $0) } ?? false
  }
}

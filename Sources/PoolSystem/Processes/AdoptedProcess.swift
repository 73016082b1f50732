#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An orphan that became a child of this process, and the facts that tell whose it was.
package struct AdoptedProcess: Hashable, Sendable {
  package var identifier: Int32
  /// The time of its start, in ticks.
  package var start: UInt64
  package var group: Int32
  package var session: Int32
  /// Whether SIGKILL has ended it, and it is not reaped.
  package var isKilled: Bool

  package init(
    identifier: Int32,
    start: UInt64,
    group: Int32,
    session: Int32,
    isKilled: Bool = false
  ) {
    (self.identifier, self.start) = (identifier, start)
    (self.group, self.session) = (group, session)
    self.isKilled = isKilled
  }

  /// Those that were left by the command that was executing when its worker died, with the command
  /// itself.
  ///
  /// Older ones were left on purpose by an earlier command, and stay, with their groups and
  /// sessions. A command that was not announced leads its group, and was killed by its death
  /// signal.
  package static func left(by command: Self?, among children: [Self]) -> [Self] {
    let unnamed = children.filter { $0.isKilled && $0.group == $0.identifier }
    guard let first = command ?? unnamed.min(by: { $1.isYounger(than: $0) }) else { return [] }
    let elders = children.filter { first.isYounger(than: $0) }
    let (ownGroup, ownSession) = (getpgrp(), getsid(0))
    let groups = Set(elders.map(\.group)).subtracting([ownGroup, first.group])
    let sessions = Set(elders.map(\.session)).subtracting([ownSession, first.session])
    return children.filter { child in
      !first.isYounger(than: child) && !groups.contains(child.group)
        && !sessions.contains(child.session)
    }
  }

  /// Whether it was started later; within one tick, whether its number is higher.
  private func isYounger(than other: Self) -> Bool {
    (start, identifier) > (other.start, other.identifier)
  }
}

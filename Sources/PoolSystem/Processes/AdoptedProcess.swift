#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A process that became a child of this one, and what tells whose it was.
package struct AdoptedProcess: Hashable, Sendable {
  package var identifier: Int32
  /// When it was started, in ticks.
  package var start: UInt64
  package var group: Int32
  package var session: Int32
  /// Whether it was killed by SIGKILL, and is not reaped.
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

  /// Which of them a command has left that was under way when its worker died, with the command
  /// itself.
  ///
  /// What is older was left on purpose by a command before it, and stays, with its groups and
  /// sessions. A command that nobody has named leads its group, and was killed by its death signal.
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

  /// Whether it was started later: within a tick, whether it has the higher number.
  private func isYounger(than other: Self) -> Bool {
    (start, identifier) > (other.start, other.identifier)
  }
}

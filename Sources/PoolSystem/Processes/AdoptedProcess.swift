#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An orphan that became a child of this process, with the data that says which worker left it.
package struct AdoptedProcess: Hashable, Sendable {
  package var identifier: Int32
  /// The time of its start, in ticks.
  package var start: UInt64
  package var group: Int32
  package var session: Int32
  /// Whether SIGKILL has ended it, and it is not reaped, or a signal is about to end it.
  package var isKilled: Bool
  /// Whether it executes as another user or group than this process, as a set-id program does.
  package var isForeign: Bool

  package init(
    identifier: Int32,
    start: UInt64,
    group: Int32,
    session: Int32,
    isKilled: Bool = false,
    isForeign: Bool = false
  ) {
    (self.identifier, self.start) = (identifier, start)
    (self.group, self.session) = (group, session)
    (self.isKilled, self.isForeign) = (isKilled, isForeign)
  }

  /// The command that was executing when its worker died before it could announce it.
  ///
  /// It leads its group, and its death signal has killed it, unless it executes a set-id program:
  /// that has none.
  package static func unannouncedCommand(among children: [Self]) -> Self? {
    children.filter { $0.group == $0.identifier && ($0.isKilled || $0.isForeign) }
      .min { $1.isYounger(than: $0) }
  }

  /// The processes left by the command that was executing when its worker died, including the
  /// command.
  ///
  /// An earlier command has left older ones on purpose; they stay, with their groups and sessions.
  package static func left(by first: Self, among children: [Self]) -> [Self] {
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

import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Whether a shell could continue a process group that the terminal has stopped.
///
/// POSIX calls a group orphaned if no member has a parent that is in another group of the same
/// session, and makes the terminal's stop signals ineffective there. The members are unknown, but
/// the process's ancestors are known, up to the first one in another group. They suffice if the
/// shell has started a script, or a make, that has started the process.
package enum JobControl {
  /// A process's parent, group and session.
  package struct Place: Hashable, Sendable {
    package var parent: Int32
    package var group: Int32
    package var session: Int32

    package init(parent: Int32, group: Int32, session: Int32) {
      (self.parent, self.group, self.session) = (parent, group, session)
    }
  }

  /// Maximum number of ancestors that are looked at.
  ///
  /// They are read one after the other, while numbers of processes may be used again.
  static let mostSteps = 256

  /// Decides by the process's ancestors; false if they are not known.
  package static func canBeContinued(_ process: Int32, place: (Int32) -> Place?) -> Bool {
    guard let own = place(process) else { return false }
    var member = own
    for _ in 0..<mostSteps {
      guard member.parent > 0, let parent = place(member.parent), parent.session == own.session
      else { return false }
      guard parent.group == own.group else { return true }
      member = parent
    }
    return false
  }
}

extension JobControl.Place {
  /// The place of a living process; nil if the system does not say.
  ///
  /// Without `/proc`, only the parent of this process is known; others have 0.
  package init?(of process: Int32) {
    let (group, session) = (getpgid(process), getsid(process))
    guard group >= 0, session >= 0 else { return nil }
    let parent = process == getpid() ? getppid() : max(opool_parent_of(process), 0)
    self.init(parent: parent, group: group, session: session)
  }
}

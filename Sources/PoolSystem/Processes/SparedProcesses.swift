import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Processes that must not be killed, and their groups and sessions.
struct SparedProcesses {
  var processes: [pid_t] = []
  private(set) var groups: [pid_t] = []
  private(set) var sessions: [pid_t] = []

  /// Adds processes, with their groups and sessions, except this process's own.
  mutating func note(_ children: [pid_t]) {
    processes = children
    let (ownGroup, ownSession) = (getpgrp(), getsid(0))
    for child in children {
      let (group, session) = (getpgid(child), getsid(child))
      if group > 0, group != ownGroup, !groups.contains(group) { groups.append(group) }
      if session > 0, session != ownSession, !sessions.contains(session) {
        sessions.append(session)
      }
    }
  }

  /// Passes them to the closure in C's form.
  func withList(_ body: (inout opool_spared) -> Void) {
    processes.withUnsafeBufferPointer { processes in
      groups.withUnsafeBufferPointer { groups in
        sessions.withUnsafeBufferPointer { sessions in
          var list = opool_spared()
          (list.processes, list.process_count) = (processes.baseAddress, Int32(processes.count))
          (list.groups, list.group_count) = (groups.baseAddress, Int32(groups.count))
          (list.sessions, list.session_count) = (sessions.baseAddress, Int32(sessions.count))
          body(&list)
        }
      }
    }
  }
}

import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A signal: its number and name, and functions to send it.
package struct ProcessSignal: Hashable, Sendable {
  package var number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  package static let childEnded = Self(SIGCHLD)
  package static let `continue` = Self(SIGCONT)
  /// A file has reached the limit of sizes; if ignored, the write fails instead.
  package static let fileSize = Self(SIGXFSZ)
  package static let hangUp = Self(SIGHUP)
  package static let interrupt = Self(SIGINT)
  package static let kill = Self(SIGKILL)
  package static let pipe = Self(SIGPIPE)
  package static let quit = Self(SIGQUIT)
  package static let stop = Self(SIGSTOP)
  package static let stopTerminal = Self(SIGTSTP)
  package static let terminalInput = Self(SIGTTIN)
  package static let terminalOutput = Self(SIGTTOU)
  package static let terminate = Self(SIGTERM)
  package static let user1 = Self(SIGUSR1)
  package static let user2 = Self(SIGUSR2)

  /// Whether the signal ends a process that has not changed its effect.
  package var endsProcesses: Bool { !Self.survivable.contains(number) }

  /// Signals that stop or continue a process, or do nothing, unless it has changed their effects.
  private static let survivable: Set<Int32> = [
    0, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH,
  ]

  /// Sends the signal to one process; false if it does not exist or may not be signalled.
  @discardableResult
  package func send(toProcess process: Int32) -> Bool {
    guard process > 0 else { return false }
    return sendAnywhere(process)
  }

  /// Sends the signal to a process group; false if it does not exist or may not be signalled.
  @discardableResult
  package func send(toGroup group: Int32) -> Bool {
    // -1 would mean every process that may be signalled, and 0 the caller's own group.
    guard group > 1 else { return false }
    return sendAnywhere(-group)
  }

  /// Whether the signal was ignored when this process was started, as with `nohup`.
  package var isIgnored: Bool { opool_is_ignored(number) != 0 }

  /// Makes this process ignore the signal.
  package func ignore() {
    signal(number, SIG_IGN)
  }

  /// Gives the signal its default effect on this process.
  package func reset() {
    signal(number, SIG_DFL)
  }

  private func sendAnywhere(_ target: Int32) -> Bool {
    LockWatch.assertUnlocked()
    #if canImport(Darwin)
    return Darwin.kill(target, number) == 0
    #else
    return Glibc.kill(target, number) == 0
    #endif
  }
}

extension ProcessSignal: CustomStringConvertible {
  /// The name, such as `SIGTERM`, or `signal 42` without one.
  package var description: String { Self.names[number] ?? "signal \(number)" }

  /// The signal with this name, with or without `SIG`, or with this number; nil if there is none.
  package init?(named text: String) {
    let name = text.uppercased()
    if let number = Int32(text), (1...64).contains(number) {
      self.init(number)
    } else if let entry = Self.names.first(where: { $0.value == name || $0.value == "SIG" + name })
    {
      self.init(entry.key)
    } else {
      return nil
    }
  }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE",
    SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGCHLD: "SIGCHLD", SIGCONT: "SIGCONT",
    SIGSTOP: "SIGSTOP", SIGTSTP: "SIGTSTP", SIGTTIN: "SIGTTIN", SIGTTOU: "SIGTTOU",
    SIGURG: "SIGURG", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGVTALRM: "SIGVTALRM",
    SIGPROF: "SIGPROF", SIGWINCH: "SIGWINCH", SIGIO: "SIGIO", SIGSYS: "SIGSYS",
  ]
}

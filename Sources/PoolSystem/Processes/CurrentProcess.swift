import CPoolSystem
package import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// This process.
package enum CurrentProcess {
  package static var identifier: Int32 { getpid() }

  package static var parent: Int32 { getppid() }

  /// Whether the process leads its group, so that the group is its own to signal.
  package static var leadsGroup: Bool { getpgrp() == getpid() }

  /// Whether somebody could continue it after a stop.
  ///
  /// Its parent is of the same session then, and not of its group. POSIX calls the group of a
  /// process for which that does not hold orphaned, and has stop signals of the terminal ignored
  /// there.
  package static var canBeContinued: Bool {
    getsid(getppid()) == getsid(0) && getpgid(getppid()) != getpgrp()
  }

  /// Lets another thread have the processor, if one waits for it.
  package static func yieldProcessor() { sched_yield() }

  /// Stops the process, and returns when it was continued.
  package static func stop() {
    // Sent to this thread, which therefore goes no step further; the others stop with it.
    raise(SIGSTOP)
  }

  /// The arguments after the program's name, as they were given: they need not be UTF-8.
  ///
  /// From C, because Swift reads them in `/proc`, and finds none where that is missing.
  package static var arguments: [[UInt8]] {
    guard opool_argument_count() > 0 else { return swiftArguments }
    return (1..<max(1, opool_argument_count())).compactMap { opool_argument($0).map(bytes) }
  }

  private static var swiftArguments: [[UInt8]] {
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
      CommandLine.unsafeArgv[index].map { bytes($0) }
    }
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Calls the body on a stack that is large enough, whatever the limit of stacks.
  ///
  /// Where that is less than 512 KiB, the body and all later threads have 8 MiB. For `main`, once.
  package static func withLargeStack(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { place in
        opool_run_with_stack(
          512 << 10,
          8 << 20,
          { $0?.assumingMemoryBound(to: (() -> Void).self).pointee() },
          UnsafeMutableRawPointer(mutating: place)
        )
      }
    }
  }

  /// The path of the running program; nil where the system does not say.
  package static var executable: String? {
    guard let path = opool_executable_path() else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// Ends the process in the ordinary way.
  package static func exit(_ code: Int32) -> Never {
    #if canImport(Darwin)
    Darwin.exit(code)
    #else
    Glibc.exit(code)
    #endif
  }

  /// Ends the process at once: nothing is flushed, and no thread is asked.
  package static func endNow(_ code: Int32) -> Never {
    _exit(code)
  }

  /// Ends the process as another one ended, so that whoever waits sees the same status.
  package static func end(as status: PoolExitStatus) -> Never {
    switch status {
    case .exited(let code):
      exit(code)
    case .signaled(let number):
      // The other one left a core file where one was wanted.
      opool_forbid_core_file()
      let signal = ProcessSignal(number)
      signal.reset()
      SignalMask.empty.apply()
      signal.send(toProcess: identifier)
      exit(128 + number)
    }
  }

  /// Gives every signal its default effect.
  package static func resetSignals() {
    opool_reset_signals()
  }

  /// Writes a line to the standard error stream; whether it arrived is nobody's concern.
  package static func complain(_ line: String) {
    try? SystemIO.writeAll(2, Array("\(line)\n".utf8))
  }
}

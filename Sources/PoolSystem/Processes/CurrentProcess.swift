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

  /// Whether the process leads its group, and so may signal it.
  package static var leadsGroup: Bool { getpgrp() == getpid() }

  /// Whether a shell could continue it after a stop.
  package static var canBeContinued: Bool {
    JobControl.canBeContinued(identifier, place: JobControl.Place.init(of:))
  }

  /// The folder that relative paths begin in; nil if it has no path.
  package static var folder: [UInt8]? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return bytes(path)
  }

  /// Stops the process, and returns after it was continued; does nothing if SIGCONT came after the
  /// last SIGTSTP, because then no signal would continue it.
  package static func stop() {
    // Sent to this thread, which therefore stops here; the others stop with it.
    opool_stop_unless_continued()
  }

  /// Whether its standard input is that of its parent; false if that is unknown.
  package static var sharesInputWithParent: Bool {
    guard let other = FileIdentity(path: Array("/proc/\(parent)/fd/0".utf8)) else { return false }
    return other == FileIdentity(0)
  }

  /// The arguments after the program's name, as given: they need not be UTF-8.
  ///
  /// From C, because Swift reads them from `/proc`, and finds none if that is missing.
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

  /// Calls the body on a stack that is large enough, whatever the stack limit.
  ///
  /// If the limit is below 512 KiB, the body and all later threads get 8 MiB. Call it once, in
  /// `main`.
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

  /// The path of the running program; nil if unknown.
  package static var executable: String? {
    guard let path = opool_executable_path() else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// Exits the process in the ordinary way.
  package static func exit(_ code: Int32) -> Never {
    #if canImport(Darwin)
    Darwin.exit(code)
    #else
    Glibc.exit(code)
    #endif
  }

  /// Exits the process at once, without flushing, and without waiting for threads.
  package static func endNow(_ code: Int32) -> Never {
    _exit(code)
  }

  /// Ends the process as another one ended, so that its parent sees the same status.
  package static func end(as status: PoolExitStatus) -> Never {
    switch status {
    case .exited(let code):
      exit(code)
    case .signaled(let number):
      // The other process has written a core file if one was wanted.
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

  /// Writes a message to the standard error stream, without control characters; failures are
  /// ignored.
  package static func complain(_ message: String) {
    try? SystemIO.writeAll(2, Array("\(Printable.lines(message))\n".utf8))
  }
}

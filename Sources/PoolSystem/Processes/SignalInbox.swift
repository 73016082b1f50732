import CPoolSystem

/// Receives signals of this process as a stream of numbers.
///
/// A handler may only write the number into a pipe; a thread reads them from there. A handled
/// signal, unlike an ignored or blocked one, has its default effect in programs executed from here.
package final class SignalInbox: Sendable {
  private let readEnd: Int32

  /// Until an inbox exists, SIGQUIT ends this process as it ends a run, and a SIGUSR1 is kept for
  /// the inbox; the program `opool` does this before Swift's own start, too.
  package static func catchEarly() { opool_catch_early_signals() }

  /// Handles the signals for the rest of the process's life; make one only.
  package init(_ signals: [ProcessSignal]) throws(SystemFailure) {
    let ends = try Descriptors.pipe()
    try Descriptors.setNonBlocking(ends.write)
    readEnd = ends.read
    for signal in signals where opool_catch_signal(signal.number, ends.write) != 0 {
      throw .last("sigaction")
    }
  }

  /// Calls the closure with each signal, on its own thread, as long as the process lives.
  package func listen(
    _ body: @escaping @Sendable (ProcessSignal) -> Void
  ) throws(SystemFailure) {
    try SystemThread.start(name: "opool-signals", mask: .full) { [self] in
      while let number = next() { body(ProcessSignal(Int32(number))) }
    }.detach()
  }

  private func next() -> UInt8? {
    withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
      (try? SystemIO.readWaiting(readEnd, into: UnsafeMutableRawBufferPointer(buffer))) == 1
        ? buffer[0] : nil
    }
  }
}

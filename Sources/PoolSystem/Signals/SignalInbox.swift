import CPoolSystem

/// Signals to this process as a stream of numbers.
///
/// A handler writes each signal's number into a pipe, which is all that a handler may do; a
/// thread reads them from there. Signals that are handled, unlike ignored or blocked ones, have
/// their default effect in every program that is executed from here.
package final class SignalInbox: Sendable {
  private let readEnd: Int32

  /// Takes over the signals for the rest of the process's life; to be made once.
  package init(_ signals: [ProcessSignal]) throws(SystemFailure) {
    let ends = try Descriptors.pipe()
    try Descriptors.setNonBlocking(ends.write)
    readEnd = ends.read
    for signal in signals where opool_catch_signal(signal.number, ends.write) != 0 {
      throw .last("sigaction")
    }
  }

  /// Calls the closure with each signal, on a thread of its own, for as long as the process lives.
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

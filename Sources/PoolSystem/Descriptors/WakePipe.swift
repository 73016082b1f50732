/// Wakes a thread that waits in a ``Poller`` from other threads.
package final class WakePipe: Sendable {
  /// Readable after a ``wake()``.
  package let descriptor: Int32

  private let writeEnd: Int32

  package init() throws(SystemFailure) {
    let ends = try Descriptors.pipe()
    descriptor = ends.read
    writeEnd = ends.write
    try Descriptors.setNonBlocking(ends.read)
    try Descriptors.setNonBlocking(ends.write)
  }

  deinit {
    Descriptors.close(descriptor)
    Descriptors.close(writeEnd)
  }

  /// Wakes the waiting thread, now or at its next wait.
  package func wake() {
    // A full pipe has woken it already; no other failure is possible.
    withUnsafeBytes(of: UInt8(1)) { _ = try? SystemIO.write(writeEnd, $0) }
  }

  /// Removes all wake-ups so far.
  package func drain() {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while case .bytes(let count)? = try? SystemIO.read(descriptor, into: buffer),
        count == buffer.count
      {}
    }
  }
}

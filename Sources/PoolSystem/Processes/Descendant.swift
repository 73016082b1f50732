import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A process that is proved to be a descendant of a child of this process.
///
/// A worker's claims about processes may be wrong, or true on another machine only.
package final class Descendant {
  package let identifier: Int32
  /// Refers to the process even after its number was reused; nil if the system has no such handle.
  private let handle: Int32?

  /// Nil if it cannot be proved now.
  package init?(_ identifier: Int32, below child: Int32) {
    guard identifier > 1, child > 1 else { return nil }
    self.identifier = identifier
    // Opened before the proof, which then holds for the opened process.
    let handle = opool_open_process(identifier)
    self.handle = handle < 0 ? nil : handle
    guard Self.isBelow(child, identifier) else { return nil }
  }

  deinit {
    if let handle { Descriptors.close(handle) }
  }

  /// Signals the group that the process leads; false if it leads none.
  @discardableResult
  package func send(toGroup signal: ProcessSignal) -> Bool {
    guard getpgid(identifier) == identifier else { return false }
    if let handle, opool_signal_group(handle, signal.number) == 0 { return true }
    // An older kernel signals groups by number only.
    guard errno == EINVAL || errno == ENOSYS || handle == nil else { return false }
    return signal.send(toGroup: identifier)
  }

  /// Maximum number of generations between a worker's process and a process of its command.
  private static let mostSteps = 32

  private static func isBelow(_ ancestor: Int32, _ process: Int32) -> Bool {
    var process = process
    for _ in 0..<mostSteps {
      process = opool_parent_of(process)
      if process == ancestor { return true }
      if process <= 1 { return false }
    }
    return false
  }
}

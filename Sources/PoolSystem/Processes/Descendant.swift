import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A process that was proved to have been started below a child of this one.
///
/// What a worker says of processes may be wrong, or true on another machine only.
package final class Descendant {
  package let identifier: Int32
  /// Stands for the process even where its number is another's by now; nil where the system has no
  /// such thing.
  private let handle: Int32?

  /// Nil where nothing proves it now.
  package init?(_ identifier: Int32, below child: Int32) {
    guard identifier > 1, child > 1 else { return nil }
    self.identifier = identifier
    // Opened first: what is proved after that holds for what was opened.
    let handle = opool_open_process(identifier)
    self.handle = handle < 0 ? nil : handle
    guard Self.isBelow(child, identifier) else { return nil }
  }

  deinit {
    if let handle { Descriptors.close(handle) }
  }

  /// Sends a signal to the group that the process leads; false where it leads none.
  @discardableResult
  package func send(toGroup signal: ProcessSignal) -> Bool {
    guard getpgid(identifier) == identifier else { return false }
    if let handle, opool_signal_group(handle, signal.number) == 0 { return true }
    // An older kernel, which knows groups by number only.
    guard errno == EINVAL || errno == ENOSYS || handle == nil else { return false }
    return signal.send(toGroup: identifier)
  }

  /// As many steps as there may be between a worker's process and the one that was started for it.
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

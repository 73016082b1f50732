import PoolModel
import PoolSystem
import PoolWire

/// Outputs that the coordinator has not taken yet: open files, by the dispatch that wrote them.
final class KeptFiles: Sendable {
  private let descriptors = Monitor<[DispatchReference: [Int32]]>([:])

  /// Keeps files open until they are released.
  func keep(_ files: [Int32], for reference: DispatchReference) {
    guard !files.isEmpty else { return }
    descriptors.withLock { $0[reference, default: []] += files }
  }

  /// Closes the files of a dispatch.
  func release(_ reference: DispatchReference) {
    let files = descriptors.withLock { $0.removeValue(forKey: reference) }
    for file in files ?? [] { Descriptors.close(file) }
    descriptors.broadcast()
  }

  /// Waits until all are released, but not beyond the deadline; returns whether they are.
  func waitForRelease(until deadline: Int64) -> Bool {
    descriptors.wait(until: deadline) { !$0.isEmpty }
  }
}

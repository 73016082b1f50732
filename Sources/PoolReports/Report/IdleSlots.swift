import PoolText

/// Slots of a run that no operation takes, and why.
package struct IdleSlots: Hashable, Sendable {
  /// Why no operation takes them.
  package enum Reason: Hashable, Sendable {
    /// All other operations wait for dependencies, for a limit, or to be tried again.
    case nothingReady
    /// What operations have printed is read too slowly, so no operation is dispatched.
    case unreadOutputs
  }

  package var count: Int
  package var reason: Reason

  /// Finds the reason; nil if no slot is idle, or if the reason is another one.
  ///
  /// - Parameters:
  ///   - width: The number of slots.
  ///   - assigned: How many of them are taken, also by operations that are about to begin.
  ///   - ready: The number of operations that wait only for a slot.
  ///   - isHeld: Whether unread outputs hold back what is ready.
  package init?(width: Int, assigned: Int, ready: Int, isHeld: Bool) {
    guard assigned < width, ready == 0 || isHeld else { return nil }
    count = width - assigned
    reason = ready == 0 ? .nothingReady : .unreadOutputs
  }

  /// The slots and the reason in words.
  var words: String {
    let words =
      switch reason {
      case .nothingReady: "nothing else is ready"
      case .unreadOutputs: "outputs are not read"
      }
    return "\(count) \(count == 1 ? "slot" : "slots") idle: \(words)"
  }
}

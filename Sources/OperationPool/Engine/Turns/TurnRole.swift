import Synchronization

/// Whether a thread takes turns: it alone performs effects.
///
/// Usually that is the loop's thread. Where blocks are executed, it may also be a thread whose
/// block has ended, or one that has added operations: going to the loop's thread and back costs
/// more than most blocks.
///
/// Except for ``leave()``, it changes only under the engine's lock. A thread with something to do
/// tells it under the same lock, before ``take()``: so it takes the turn, or the thread that has it
/// looks again before that one leaves.
enum TurnRole: UInt8, AtomicRepresentable, CaseIterable {
  /// No thread takes turns.
  case free
  /// A thread takes turns.
  case held
  /// A thread takes turns, and must look again, under the lock, before it leaves.
  case wanted

  /// Something is to be done: returns whether the caller takes the turn.
  ///
  /// If not, the thread that has it looks again.
  mutating func take() -> Bool {
    defer { self = self == .free ? .held : .wanted }
    return self == .free
  }

  /// Something is to be done, but not by the caller; returns whether a thread will look.
  mutating func want() -> Bool {
    if self != .free { self = .wanted }
    return self == .wanted
  }

  /// The thread that takes turns has nothing left: returns whether it has left.
  ///
  /// If not, it must look again, under the lock.
  mutating func leave() -> Bool {
    guard self == .held else { return false }
    self = .free
    return true
  }
}

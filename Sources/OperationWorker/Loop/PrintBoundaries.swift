import PoolModel
import PoolSystem
import PoolWire

/// Finds out, when an operation has ended, whether it printed anything, and marks the end of that in
/// the standard error, where the coordinator reads it.
///
/// An operation that prints nothing must cost nothing. What goes through `stdout` is noticed by two
/// loads. What is written to a descriptor, by the operation or by a process that it has started, is
/// either in the pipe still, or the coordinator has taken it and said so in the outbox: the first
/// costs a system call, which is made for a while after anything was noticed, and at the beginning.
struct PrintBoundaries {
  /// How many operations are looked at closely after one that printed.
  private static let attentionSpan = 64

  private let descriptor: Int32
  private let mark: PrintMark?
  private let outbox: Outbox?
  /// For how many operations the pipe is still looked at.
  private var attention = attentionSpan
  /// The last number that the coordinator had in the outbox.
  private var taken: UInt64 = 0

  /// Without a mark, unfinished lines are written and nothing is marked.
  init(_ descriptor: Int32, _ mark: PrintMark?, _ outbox: Outbox?) {
    self.descriptor = descriptor
    self.mark = mark
    self.outbox = outbox
  }

  /// An operation has ended; returns whether a mark follows what it has printed.
  @inline(__always)
  mutating func end(_ reference: DispatchReference) -> Bool {
    let isFlushed = !PrintedText.isThere
    if isFlushed, attention == 0, outbox?.takenText ?? 0 == taken { return false }
    return look(isFlushed, reference)
  }

  /// Something was printed, or may have been.
  @inline(never)
  private mutating func look(_ isFlushed: Bool, _ reference: DispatchReference) -> Bool {
    if !isFlushed { PrintedText.flush() }
    guard let mark else { return false }
    // Without an outbox, what the coordinator has taken is not known.
    attention = outbox == nil ? 1 : max(attention - 1, 0)
    let isWaiting = isFlushed && Descriptors.unreadByteCount(in: descriptor) > 0
    // Loaded after the look into the pipe: what was not there any more has been counted.
    guard !isFlushed || isWaiting || wasTaken() else { return false }
    attention = Self.attentionSpan
    // A coordinator that is gone is noticed at the end of the input.
    try? SystemIO.writeAll(descriptor, mark.bytes(of: reference))
    return true
  }

  /// Whether the coordinator has taken text that no mark follows, or is about to.
  private mutating func wasTaken() -> Bool {
    guard let now = outbox?.takenText, now != taken else { return false }
    // While it takes some, the number is odd.
    taken = now & ~1
    return true
  }
}

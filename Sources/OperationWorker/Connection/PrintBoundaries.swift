import PoolModel
import PoolSystem
import PoolWire

/// Determines, when an operation has ended, whether it printed anything, and marks the end of its
/// text in the standard error, which the coordinator reads.
///
/// An operation that prints nothing must cost nothing. Text in `stdout` is noticed by two loads.
/// Text written to a descriptor, by the operation or by a process that it has started, is either
/// still in the pipe, or the coordinator has taken it and said so in the outbox. Looking into the
/// pipe costs a system call, which is made only at the beginning and for a while after text was
/// noticed.
struct PrintBoundaries {
  /// Number of operations after which the pipe is no longer looked at if none of them printed.
  private static let attentionSpan = 64

  private let descriptor: Int32
  private let mark: PrintMark?
  private let outbox: Outbox?
  /// Number of further operations for which the pipe is looked at.
  private var attention = attentionSpan
  /// The last value of the coordinator's number in the outbox.
  private var taken: UInt64 = 0

  /// If there is no mark, unfinished lines are written but nothing is marked.
  init(_ descriptor: Int32, _ mark: PrintMark?, _ outbox: Outbox?) {
    self.descriptor = descriptor
    self.mark = mark
    self.outbox = outbox
  }

  /// An operation has ended; returns whether it printed text, which is then marked.
  @inline(__always)
  mutating func end(_ reference: DispatchReference) -> Bool {
    let isFlushed = !PrintedOutput.isThere
    if isFlushed, attention == 0, outbox?.takenText ?? 0 == taken { return false }
    return look(isFlushed, reference)
  }

  /// Text was printed, or may have been.
  @inline(never)
  private mutating func look(_ isFlushed: Bool, _ reference: DispatchReference) -> Bool {
    if !isFlushed { PrintedOutput.flush() }
    guard let mark else { return false }
    // Without an outbox, it is unknown what the coordinator has taken.
    attention = outbox == nil ? 1 : max(attention - 1, 0)
    let isWaiting = isFlushed && Descriptors.unreadByteCount(in: descriptor) > 0
    // Loaded after the look into the pipe: text that was no longer there has been counted.
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

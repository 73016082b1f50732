import PoolContents
import PoolModel

/// Lines printed by one operation of a worker, or by none.
///
/// A class, so that other events stay small.
package final class PrintedLines: Sendable {
  let worker: WorkerID
  /// The receiver of the lines.
  let printer: (any LinePrinter)?
  let lines: [PrintedLine]

  init(worker: WorkerID, printer: (any LinePrinter)?, lines: [PrintedLine]) {
    self.worker = worker
    self.printer = printer
    self.lines = lines
  }
}

/// The text of a worker: its owner, its lines, and the start that outcomes keep.
struct WorkerPrinting {
  /// Maximum bytes of text that are held until the owner is known: 64 KiB.
  static let heldLimit = 64 << 10

  var stream = PrintedStream()
  /// When the loop decides the owner of the unmarked text.
  var due: Int64?
  /// A decision without a mark: text belongs to this operation, up to the next mark.
  private var decision: (owner: DispatchReference, markCount: Int)?

  /// The owner of the latest text.
  private var owner: DispatchReference?
  private var cutter = LineCutter()
  /// The start of the owner's text.
  private var output: [UInt8] = []
  /// Number of bytes of the owner's text.
  private var byteCount: Int64 = 0

  /// Lines, and their owner.
  struct Delivery {
    let owner: DispatchReference?
    let lines: [PrintedLine]
  }

  /// Decides that text without a mark belongs to the executing operation, or to none.
  mutating func noteDecision(for owner: DispatchReference?) {
    decision = owner.map { ($0, stream.markCount) }
  }

  /// Whether unmarked text belongs to the executing operation, because the text before it does.
  func continues(_ owner: DispatchReference?) -> Bool {
    guard let decision, let owner else { return false }
    return decision == (owner, stream.markCount)
  }

  /// Assigns text to an operation, or to none; returns the lines that are now complete.
  mutating func give(_ text: [UInt8], to owner: DispatchReference?) -> [Delivery] {
    guard !text.isEmpty else { return [] }
    var deliveries: [Delivery] = []
    if owner != self.owner {
      if let rest = endLine() { deliveries.append(rest) }
      (self.owner, output, byteCount) = (owner, [], 0)
    }
    if owner != nil {
      output += text.prefix(OutputContent.prefixLimit - output.count)
      byteCount += Int64(text.count)
    }
    deliveries.append(Delivery(owner: owner, lines: cutter.cut(text)))
    return deliveries
  }

  /// Ends the unfinished line, if there is one.
  mutating func endLine() -> Delivery? {
    cutter.end().map { Delivery(owner: owner, lines: [$0]) }
  }

  /// Whether text of an operation, or an unfinished line of it, is stored.
  func hasText(of reference: DispatchReference) -> Bool { owner == reference }

  /// Takes the start of an operation's text, and the number of its bytes; the operation ends.
  mutating func takeOutput(of reference: DispatchReference) -> ([UInt8], byteCount: Int64) {
    guard owner == reference else { return ([], 0) }
    defer { (owner, output, byteCount) = (nil, [], 0) }
    return (output, byteCount)
  }
}

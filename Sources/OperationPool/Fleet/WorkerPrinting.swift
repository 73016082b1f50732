import PoolModel

/// Lines that one operation of a worker has printed, or none of its operations.
///
/// A class, so that an event that is none is as small as before.
package final class PrintedLines: Sendable {
  let worker: WorkerID
  /// Where they go.
  let printer: (any LinePrinter)?
  let lines: [PrintedLine]

  init(worker: WorkerID, printer: (any LinePrinter)?, lines: [PrintedLine]) {
    self.worker = worker
    self.printer = printer
    self.lines = lines
  }
}

/// What a worker prints: whose it is, its lines, and what the outcomes keep of it.
struct WorkerPrinting {
  /// How much text is held at most until it is known whose it is: 64 KiB.
  static let heldLimit = 64 << 10

  var stream = PrintedStream()
  /// When the loop looks whose the unmarked text is.
  var due: Int64?
  /// Whose text is, without a mark: that of this operation, up to the next mark.
  private var decision: (owner: DispatchReference, markCount: Int)?

  /// Whose text the last was.
  private var owner: DispatchReference?
  private var cutter = LineCutter()
  /// The beginning of what the owner has printed.
  private var output: [UInt8] = []

  /// Lines, and whose they are.
  struct Delivery {
    let owner: DispatchReference?
    let lines: [PrintedLine]
  }

  /// Text without a mark is that of the operation that executes, or of none.
  mutating func noteDecision(for owner: DispatchReference?) {
    decision = owner.map { ($0, stream.markCount) }
  }

  /// Whether unmarked text is that of the operation that executes, since what came before it is.
  func continues(_ owner: DispatchReference?) -> Bool {
    guard let decision, let owner else { return false }
    return decision == (owner, stream.markCount)
  }

  /// Text is an operation's, or none's; returns the lines that are whole now.
  mutating func give(_ text: [UInt8], to owner: DispatchReference?) -> [Delivery] {
    guard !text.isEmpty else { return [] }
    var deliveries: [Delivery] = []
    if owner != self.owner {
      if let rest = endLine() { deliveries.append(rest) }
      (self.owner, output) = (owner, [])
    }
    if owner != nil { output += text.prefix(OutputContent.prefixLimit - output.count) }
    deliveries.append(Delivery(owner: owner, lines: cutter.cut(text)))
    return deliveries
  }

  /// Ends the unfinished line, if there is one.
  mutating func endLine() -> Delivery? {
    cutter.end().map { Delivery(owner: owner, lines: [$0]) }
  }

  /// Whether text of an operation is kept, or an unfinished line of it.
  func hasText(of reference: DispatchReference) -> Bool { owner == reference }

  /// The beginning of what an operation has printed, which ends now.
  mutating func takeOutput(of reference: DispatchReference) -> [UInt8] {
    guard owner == reference else { return [] }
    defer { (owner, output) = (nil, []) }
    return output
  }
}

package import PoolJournal

/// Operations whose lines a target was given.
package struct LineReceipt: Hashable, Sendable {
  package var role: TargetRoles
  package var operations: [Int]
}

/// Outputs that streams have taken, and that may still lie in a pipe whose reader can end.
///
/// A stream's position is the number of bytes written to it. The position of its reader follows
/// from the number of bytes in the pipe; if others write to the same pipe, it is an underestimate.
struct UnreadOutputs {
  /// Positions in the standard output and error streams, in bytes.
  struct Position {
    var output: Int64 = 0
    var error: Int64 = 0

    func hasReached(_ other: Self) -> Bool { output >= other.output && error >= other.error }
  }

  private struct Chunk {
    var numbers: [Int]
    var receipts: [LineReceipt]
    /// The positions of the streams at its end.
    var end: Position
  }

  /// Those before `first` were read.
  private var chunks: [Chunk] = []
  private var first = 0

  var isEmpty: Bool { first == chunks.count }

  /// The receipts of lines that have been read, and were not taken.
  private var readReceipts: [LineReceipt] = []

  /// Adds the outputs of these operations, and lines, which end at the streams' positions.
  mutating func append(_ numbers: [Int], _ receipts: [LineReceipt] = [], at end: Position) {
    chunks.append(Chunk(numbers: numbers, receipts: receipts, end: end))
  }

  /// Removes and returns the receipts of lines that were found to be read.
  mutating func takeReceipts() -> [LineReceipt] {
    defer { readReceipts.removeAll() }
    return readReceipts
  }

  /// Removes and returns the outputs that have been read, in the order of printing.
  mutating func takeRead(upTo position: Position) -> [Int] {
    var numbers: [Int] = []
    while first < chunks.count, position.hasReached(chunks[first].end) {
      numbers += chunks[first].numbers
      readReceipts += chunks[first].receipts
      first += 1
    }
    if first * 2 >= chunks.count {
      chunks.removeFirst(first)
      first = 0
    }
    return numbers
  }
}

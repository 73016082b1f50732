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
    /// The positions of the streams at its end.
    var end: Position
  }

  /// Those before `first` were read.
  private var chunks: [Chunk] = []
  private var first = 0

  var isEmpty: Bool { first == chunks.count }

  /// Adds the outputs of these operations, which end at the streams' positions.
  mutating func append(_ numbers: [Int], at end: Position) {
    chunks.append(Chunk(numbers: numbers, end: end))
  }

  /// Removes and returns the outputs that have been read, in the order of printing.
  mutating func takeRead(upTo position: Position) -> [Int] {
    var numbers: [Int] = []
    while first < chunks.count, position.hasReached(chunks[first].end) {
      numbers += chunks[first].numbers
      first += 1
    }
    if first * 2 >= chunks.count {
      chunks.removeFirst(first)
      first = 0
    }
    return numbers
  }
}

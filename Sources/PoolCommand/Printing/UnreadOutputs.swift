/// Outputs that streams have taken, and that may still lie in a pipe of which the reader can end.
///
/// A stream's position is the number of bytes that it was given. What its reader has taken is told
/// by the bytes that lie in the pipe; where others write to the same pipe, fewer of ours seem to be
/// read than are.
struct UnreadOutputs {
  /// How far the standard output and error streams have come, in bytes.
  struct Position {
    var output: Int64 = 0
    var error: Int64 = 0

    func hasReached(_ other: Self) -> Bool { output >= other.output && error >= other.error }
  }

  private struct Chunk {
    var numbers: [Int]
    /// Where the streams were when they had taken all of it.
    var end: Position
  }

  /// Those before `first` were read.
  private var chunks: [Chunk] = []
  private var first = 0

  var isEmpty: Bool { first == chunks.count }

  /// Adds the outputs of these operations, which end where the streams are.
  mutating func append(_ numbers: [Int], at end: Position) {
    chunks.append(Chunk(numbers: numbers, end: end))
  }

  /// Takes out the outputs that have been read, in the order of printing.
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

/// Outputs that streams have taken, and that may still lie in a pipe of which the reader can end.
///
/// A stream's position is the number of bytes that it was given. What its reader has taken is told by the
/// bytes that lie in the pipe; where others write to the same pipe, fewer of ours seem to be read than are.
struct UnreadOutputs {
  /// How far the standard output and error streams have come, in bytes.
  struct Position {
    var output: Int64 = 0
    var error: Int64 = 0

    func hasReached(_ other: Self) -> Bool { output >= other.output && error >= other.error }
  }

  private struct Portion {
    var numbers: [Int]
    /// Where the streams were when they had taken all of it.
    var end: Position
  }

  /// Those before `first` were read.
  private var portions: [Portion] = []
  private var first = 0

  var isEmpty: Bool { first == portions.count }

  /// Adds the outputs of these operations, which end where the streams are.
  mutating func append(_ numbers: [Int], at end: Position) {
    portions.append(Portion(numbers: numbers, end: end))
  }

  /// Takes out the outputs that have been read, in the order of printing.
  mutating func takeRead(upTo position: Position) -> [Int] {
    var numbers: [Int] = []
    while first < portions.count, position.hasReached(portions[first].end) {
      numbers += portions[first].numbers
      first += 1
    }
    if first * 2 >= portions.count {
      portions.removeFirst(first)
      first = 0
    }
    return numbers
  }
}

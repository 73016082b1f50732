/// The inputs of `opool map`, numbered from 0; flat, however many there are.
package struct MapInputs: Sendable, Equatable {
  private var text: [UInt8] = []
  /// Where each input ends, and one zero before them.
  private var ends: [Int] = [0]
  /// What stands between two inputs in the text: a line feed, or nothing.
  private let gap: Int

  /// How many inputs there are.
  package var count: Int { ends.count - 1 }

  /// The bytes of an input.
  package subscript(index: Int) -> [UInt8] {
    let start = index == 0 ? 0 : ends[index] + gap
    return Array(text[start..<ends[index + 1]])
  }

  /// Takes the arguments behind `:::`.
  package init(arguments: [[UInt8]]) {
    gap = 0
    for argument in arguments {
      text.append(contentsOf: argument)
      ends.append(text.count)
    }
  }

  /// Splits a text at its line feeds; the last line needs none.
  ///
  /// Empty lines are inputs. A NUL is an error, because no argument can hold one.
  package init(lines: [UInt8]) throws(UsageError) {
    gap = 1
    text = lines
    for (position, byte) in lines.enumerated() {
      if byte == 0 {
        throw UsageError(
          "input \(count + 1) contains a NUL, which no argument can hold",
          hint: "inputs are lines; use for example 'find …' without -print0",
          topic: .map
        )
      }
      if byte == UInt8(ascii: "\n") { ends.append(position) }
    }
    if let last = lines.last, last != UInt8(ascii: "\n") { ends.append(lines.count) }
  }
}

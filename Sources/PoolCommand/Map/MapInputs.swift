import Synchronization

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
    self.init()
    try lines.withUnsafeBytes { bytes in
      Result { () throws(UsageError) in try append(bytes) }
    }.get()
    finish()
  }

  /// Begins with no lines; they follow by ``append(_:)``, and ``finish()`` ends the last one.
  package init() {
    gap = 1
  }

  /// Appends a piece of a text; its lines are inputs as soon as their line feeds have come.
  package mutating func append(_ piece: UnsafeRawBufferPointer) throws(UsageError) {
    for byte in piece {
      if byte == 0 {
        throw UsageError(
          "input \(count + 1) contains a NUL, which no argument can hold",
          hint: "inputs are lines; use for example 'find …' without -print0",
          topic: .map
        )
      }
      if byte == UInt8(ascii: "\n") { ends.append(text.count) }
      text.append(byte)
    }
  }

  /// The text has ended; what follows its last line feed is an input, too.
  package mutating func finish() {
    if let last = text.last, last != UInt8(ascii: "\n") { ends.append(text.count) }
  }
}

/// Inputs that may still be coming, shared by whoever reads them and whoever executes them.
final class InputList: Sendable {
  private let inputs: Mutex<MapInputs>

  init(_ inputs: MapInputs) {
    self.inputs = Mutex(inputs)
  }

  var count: Int { inputs.withLock { $0.count } }

  subscript(index: Int) -> [UInt8] { inputs.withLock { $0[index] } }

  /// Changes the inputs, and returns the numbers of those that are new.
  func extend<Failure: Error>(
    _ body: (inout MapInputs) throws(Failure) -> Void
  ) throws(Failure) -> Range<Int> {
    try inputs.withLock { inputs throws(Failure) in
      let before = inputs.count
      try body(&inputs)
      return before..<inputs.count
    }
  }
}

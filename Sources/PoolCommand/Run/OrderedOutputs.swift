import OperationPool
import PoolSystem

/// What an operation wrote.
struct OutputPair: Sendable {
  var output: OutputContent
  var error: OutputContent

  var isEmpty: Bool { output.isEmpty && error.isEmpty }
}

/// Outputs that wait for their turn, in one file without a name, so that memory does not grow.
///
/// Operations are numbered from 0 and each comes once; ``next(_:)`` gives them in that order.
struct OrderedOutputs {
  /// Where an output waits.
  private struct Place {
    var offset: Int64
    var outputCount: Int64
    var errorCount: Int64
  }

  private var waiting: [Int: Place] = [:]
  private var turn = 0
  private var descriptor: Int32?
  private var end: Int64 = 0

  /// Whether it is this operation's turn.
  func isNext(_ number: Int) -> Bool { number == turn }

  /// The operation whose turn it was has been written.
  mutating func advance() {
    turn += 1
  }

  /// Keeps an output for its turn.
  mutating func keep(_ number: Int, _ pair: OutputPair) throws(SystemFailure) {
    let place = Place(
      offset: end,
      outputCount: pair.output.byteCount,
      errorCount: pair.error.byteCount
    )
    waiting[number] = place
    guard place.outputCount + place.errorCount > 0 else { return }
    let file = try file()
    for content in [pair.output, pair.error] {
      try OutputCopy.forEachPiece(of: content) { piece throws(SystemFailure) in
        try SystemIO.writeAll(file, piece)
      }
      end += content.byteCount
    }
  }

  /// Gives the output whose turn it is to the closure, if it has come; false if not.
  mutating func next(
    _ body: (_ isError: Bool, UnsafeRawBufferPointer) throws(SystemFailure) -> Void
  ) throws(SystemFailure) -> Bool {
    guard let place = waiting.removeValue(forKey: turn) else { return false }
    turn += 1
    guard let descriptor else { return true }
    let middle = place.offset + place.outputCount
    try OutputCopy.forEachPiece(of: descriptor, place.offset..<middle) {
      piece throws(SystemFailure) in
      try body(false, piece)
    }
    try OutputCopy.forEachPiece(of: descriptor, middle..<(middle + place.errorCount)) {
      piece throws(SystemFailure) in
      try body(true, piece)
    }
    if waiting.isEmpty { reset() }
    return true
  }

  private mutating func file() throws(SystemFailure) -> Int32 {
    if let descriptor { return descriptor }
    let file = try TemporaryFile.open()
    descriptor = file
    return file
  }

  /// Nobody waits, so the file's room is given back.
  private mutating func reset() {
    guard let file = descriptor else { return }
    Descriptors.close(file)
    descriptor = nil
    end = 0
  }
}

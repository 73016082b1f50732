import Synchronization

/// The inputs of `opool map`, numbered from 0: about 8 bytes each beside their text, which is freed
/// block by block as operations end.
package struct MapInputs: Sendable, Equatable {
  /// Maximum length of a line: 1 MiB, more than a system accepts as one argument.
  package static let lengthLimit = 1 << 20
  /// Number of bytes from which a block takes no further input: 64 KiB.
  private static let blockSize = 64 << 10

  /// The end of an input's text; it begins at the end of the one before it in its block.
  private struct Place: Equatable {
    var block: UInt32
    var end: UInt32
  }

  private struct Block: Equatable {
    var text: [UInt8] = []
    /// Number of its inputs that are still needed.
    var uses = 0
  }

  private let lengthLimit: Int
  private var places: [Place] = []
  /// The blocks that take no further input.
  private var blocks: [Block] = []
  /// The block for the next input; ends with the part of it that has arrived.
  private var open = Block()
  /// Where the next input begins in the open block.
  private var start = 0

  /// Number of inputs.
  package var count: Int { places.count }

  /// Number of bytes in memory, for inputs that are needed and for others in their blocks.
  package var byteCount: Int { blocks.reduce(open.text.count) { $0 + $1.text.count } }

  /// The bytes of an input; empty some time after ``release(_:)``.
  package subscript(index: Int) -> [UInt8] {
    let range = range(of: index)
    let block = Int(places[index].block)
    if block == blocks.count { return Array(open.text[range]) }
    return blocks[block].text.isEmpty ? [] : Array(blocks[block].text[range])
  }

  private func range(of index: Int) -> Range<Int> {
    let place = places[index]
    let isFirst = index == 0 || places[index - 1].block != place.block
    return (isFirst ? 0 : Int(places[index - 1].end))..<Int(place.end)
  }

  /// Number of bytes of an input, also after its release.
  package func length(of index: Int) -> Int { range(of: index).count }

  /// Makes inputs from the arguments after `:::`.
  package init(arguments: [[UInt8]]) {
    self.init()
    for argument in arguments {
      open.text.append(contentsOf: argument)
      endInput()
    }
  }

  /// Splits a text at its line feeds; the last line needs none.
  ///
  /// Empty lines are inputs. A NUL is an error, because no argument can hold one.
  package init(lines: [UInt8], lengthLimit: Int = Self.lengthLimit) throws(UsageError) {
    self.init(lengthLimit: lengthLimit)
    try lines.withUnsafeBytes { bytes in
      Result { () throws(UsageError) in try append(bytes) }
    }.get()
    finish()
  }

  /// Starts without lines; they follow by ``append(_:)``, and ``finish()`` ends the last one.
  package init(lengthLimit: Int = Self.lengthLimit) {
    self.lengthLimit = lengthLimit
  }

  /// Appends a piece of a text; a line becomes an input when its line feed arrives.
  ///
  /// After an error the inputs before the invalid line remain, and no piece may follow.
  package mutating func append(_ piece: UnsafeRawBufferPointer) throws(UsageError) {
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        endInput()
        continue
      }
      if byte == 0 { throw nulError }
      if open.text.count - start == lengthLimit { throw lengthError }
      open.text.append(byte)
    }
  }

  /// Ends the text; bytes after the last line feed become an input, too.
  package mutating func finish() {
    if open.text.count > start { endInput() }
  }

  /// Releases an input; its text is freed with the last one of its block.
  package mutating func release(_ index: Int) {
    let block = Int(places[index].block)
    if block == blocks.count {
      open.uses -= 1
      return
    }
    blocks[block].uses -= 1
    if blocks[block].uses == 0 { blocks[block].text = [] }
  }

  private mutating func endInput() {
    places.append(Place(block: UInt32(blocks.count), end: UInt32(open.text.count)))
    open.uses += 1
    start = open.text.count
    guard start >= Self.blockSize else { return }
    if open.uses == 0 { open.text = [] }
    blocks.append(open)
    open = Block()
    start = 0
  }

  private var nulError: UsageError {
    UsageError(
      "line \(count + 1): it contains a NUL, which no argument can hold",
      hint: "inputs are lines; use for example 'find …' without -print0",
      topic: .map
    )
  }

  private var lengthError: UsageError {
    UsageError(
      "line \(count + 1): it has more than \(lengthLimit) bytes, which no argument can hold",
      hint: "inputs end with line feeds; give long ones in files, and the names of these as inputs",
      topic: .map
    )
  }
}

/// Inputs shared by the thread that reads them and the thread that executes them.
final class InputList: Sendable {
  private let inputs: Mutex<MapInputs>

  init(_ inputs: MapInputs) {
    self.inputs = Mutex(inputs)
  }

  var count: Int { inputs.withLock { $0.count } }

  subscript(index: Int) -> [UInt8] { inputs.withLock { $0[index] } }

  /// Frees an input; returns its number of bytes.
  func release(_ index: Int) -> Int {
    inputs.withLock { inputs in
      inputs.release(index)
      return inputs.length(of: index)
    }
  }

  /// Changes the inputs; returns the numbers of the new ones, and their number of bytes.
  func extend(_ body: (inout MapInputs) -> Void) -> (numbers: Range<Int>, byteCount: Int) {
    inputs.withLock { inputs in
      let before = inputs.count
      body(&inputs)
      let new = before..<inputs.count
      return (new, new.reduce(0) { $0 + inputs.length(of: $1) })
    }
  }
}

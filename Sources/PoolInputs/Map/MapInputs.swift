import Synchronization

/// The inputs of `opool map`, numbered from 0: about 8 bytes each beside their text, which is freed
/// block by block as operations end.
package struct MapInputs: Sendable, Equatable {
  /// Stands between the fields of an input: no argument can hold it.
  private static let separator: UInt8 = 0
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

  private var places: [Place] = []
  /// The blocks that take no further input.
  private var blocks: [Block] = []
  /// The block for the next input.
  private var open = Block()

  /// Number of inputs.
  package var count: Int { places.count }

  /// Number of bytes in memory, for inputs that are needed and for others in their blocks.
  package var byteCount: Int { blocks.reduce(open.text.count) { $0 + $1.text.count } }

  /// The fields of an input, at least one; empty ones some time after ``release(_:)``.
  package subscript(index: Int) -> [[UInt8]] {
    let range = range(of: index)
    let block = Int(places[index].block)
    let text = block == blocks.count ? open.text : blocks[block].text
    guard !text.isEmpty else { return [[]] }
    // Most inputs have one field.
    guard text[range].contains(Self.separator) else { return [Array(text[range])] }
    return text[range].split(separator: Self.separator, omittingEmptySubsequences: false)
      .map(Array.init)
  }

  private func range(of index: Int) -> Range<Int> {
    let place = places[index]
    let isFirst = index == 0 || places[index - 1].block != place.block
    return (isFirst ? 0 : Int(places[index - 1].end))..<Int(place.end)
  }

  /// Number of bytes of an input, also after its release.
  package func length(of index: Int) -> Int { range(of: index).count }

  /// Starts without inputs.
  package init() {}

  /// Appends the fields of an input.
  package mutating func append(_ fields: [[UInt8]]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { open.text.append(Self.separator) }
      open.text.append(contentsOf: field)
    }
    endInput()
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
    guard open.text.count >= Self.blockSize else { return }
    if open.uses == 0 { open.text = [] }
    blocks.append(open)
    open = Block()
  }
}

/// Inputs shared by the thread that reads them and the thread that executes them.
package final class InputList: Sendable {
  private let inputs: Mutex<MapInputs>

  package init(_ inputs: MapInputs) {
    self.inputs = Mutex(inputs)
  }

  package var count: Int { inputs.withLock { $0.count } }

  package subscript(index: Int) -> [[UInt8]] { inputs.withLock { $0[index] } }

  /// Frees an input; returns its number of bytes.
  package func release(_ index: Int) -> Int {
    inputs.withLock { inputs in
      inputs.release(index)
      return inputs.length(of: index)
    }
  }

  /// Appends inputs; returns their numbers, and their number of bytes.
  package func append(_ new: [[[UInt8]]]) -> (numbers: Range<Int>, byteCount: Int) {
    inputs.withLock { inputs in
      let before = inputs.count
      for fields in new { inputs.append(fields) }
      let numbers = before..<inputs.count
      return (numbers, numbers.reduce(0) { $0 + inputs.length(of: $1) })
    }
  }
}

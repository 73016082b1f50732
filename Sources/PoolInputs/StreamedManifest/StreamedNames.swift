import PoolModel
import PoolText

/// The identifiers of the operations of a streamed manifest.
///
/// They stay known when an operation has ended, because a later line may name it: four bytes for
/// each operation, and the text of an identifier that its line gives.
struct StreamedNames {
  /// The line of each operation, rising.
  private var lines: [UInt32] = []
  /// Identifiers that lines give.
  private var numbers: [[UInt8]: UInt32] = [:]
  private var given: [UInt32: [UInt8]] = [:]

  func line(of operation: Int) -> Int { Int(lines[operation]) }

  /// The identifier of an operation; its line number if the line gives none.
  func id(of operation: Int) -> [UInt8] {
    givenID(of: operation) ?? Array(String(lines[operation]).utf8)
  }

  /// The identifier that the operation's line gives, if any.
  func givenID(of operation: Int) -> [UInt8]? { given[UInt32(operation)] }

  /// The operation with an identifier; nil if there is none.
  func find(_ id: [UInt8]) -> Int? {
    if let number = numbers[id] { return Int(number) }
    guard let line = DecimalParser.integer(id).flatMap({ UInt32(exactly: $0) }),
      let operation = operation(at: line), given[UInt32(operation)] == nil,
      // Not `07` or `-0`.
      String(line).utf8.elementsEqual(id)
    else { return nil }
    return operation
  }

  /// Adds the next operation, whose identifier is new; nil for that of its line.
  mutating func append(_ id: [UInt8]?, line: UInt32) {
    let number = UInt32(lines.count)
    lines.append(line)
    guard let id else { return }
    numbers[id] = number
    given[number] = id
  }

  private func operation(at line: UInt32) -> Int? {
    var lower = 0
    var upper = lines.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if lines[middle] < line { lower = middle + 1 } else { upper = middle }
    }
    return lower < lines.count && lines[lower] == line ? lower : nil
  }
}

package import PoolModel

/// The mark that a worker writes to its standard error after an operation's output there, so that
/// the coordinator can assign the text to the operation.
///
/// It contains a random number chosen by the coordinator, so that an operation's output is not
/// mistaken for a mark.
package struct PrintMark: Hashable, Sendable {
  /// The size of each mark in bytes: small enough that the system never splits one.
  package static let count = 58

  /// The first byte of each mark: the record separator of ASCII.
  static let start: UInt8 = 0x1E

  package let number: UInt64
  /// The first bytes of every mark.
  private let prefix: [UInt8]

  package init(number: UInt64) {
    self.number = number
    prefix = [Self.start] + Array("opool \(Hexadecimal.text(number)) ".utf8)
  }

  /// The mark that ends the text of a dispatch.
  package func bytes(of reference: DispatchReference) -> [UInt8] {
    let operation = Hexadecimal.text(reference.operation.rawValue)
    let dispatch = Hexadecimal.text(reference.dispatch.rawValue)
    return prefix + Array("\(operation) \(dispatch)\n".utf8)
  }

  /// The dispatch that a mark names; nil if the bytes are not a mark.
  func reference(in bytes: ArraySlice<UInt8>) -> DispatchReference? {
    guard bytes.count == Self.count, bytes.starts(with: prefix), bytes.last == 0x0A else {
      return nil
    }
    let numbers = bytes.dropFirst(prefix.count).dropLast().split(
      separator: UInt8(ascii: " "),
      omittingEmptySubsequences: false
    )
    guard numbers.count == 2, let operation = Hexadecimal.number(numbers[0]),
      let dispatch = Hexadecimal.number(numbers[1])
    else { return nil }
    return DispatchReference(
      operation: OperationID(rawValue: operation),
      dispatch: DispatchNumber(rawValue: dispatch)
    )
  }

  /// Whether bytes may be the start of a mark.
  func mayBegin(with bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count < Self.count
      && bytes.prefix(prefix.count).elementsEqual(prefix.prefix(bytes.count))
  }
}

/// Finds the marks in a worker's standard error, however the stream is split.
package struct PrintMarkScanner: Sendable {
  private let mark: PrintMark
  /// Bytes at the end that may be the start of a mark.
  private var pending: [UInt8] = []

  package init(_ mark: PrintMark) {
    self.mark = mark
  }

  /// One find.
  package enum Piece: Hashable, Sendable {
    case text(ArraySlice<UInt8>)
    /// The text of a dispatch ends here.
    case end(DispatchReference)
  }

  /// Passes text and marks to the closure, in order.
  package mutating func scan(_ bytes: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    let all = pending + bytes
    pending = []
    var rest = all[...]
    var textEnd = rest.startIndex
    while let start = rest[textEnd...].firstIndex(of: PrintMark.start) {
      let candidate = rest[start...].prefix(PrintMark.count)
      if let reference = mark.reference(in: candidate) {
        if start > rest.startIndex { body(.text(rest[..<start])) }
        body(.end(reference))
        rest = rest[candidate.endIndex...]
        textEnd = rest.startIndex
      } else if mark.mayBegin(with: candidate) {
        pending = Array(candidate)
        rest = rest[..<start]
        textEnd = rest.endIndex
      } else {
        textEnd = start + 1
      }
    }
    if !rest.isEmpty { body(.text(rest)) }
  }

  /// The stream has ended: a possible start of a mark is text.
  package mutating func takePending() -> [UInt8] {
    defer { pending = [] }
    return pending
  }
}

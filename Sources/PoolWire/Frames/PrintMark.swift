package import PoolModel

/// What a worker writes into its standard error behind what an operation has printed, so that the
/// coordinator knows whose it is.
///
/// It has a number that the coordinator has made up, and so what an operation prints is not taken
/// for one.
package struct PrintMark: Hashable, Sendable {
  /// The size of each mark in bytes: so small that the system never divides one.
  package static let count = 58

  /// The first byte of each mark: the record separator of ASCII.
  static let start: UInt8 = 0x1E

  package let number: UInt64
  /// What every mark begins with.
  private let prefix: [UInt8]

  package init(number: UInt64) {
    self.number = number
    prefix = [Self.start] + Array("opool \(HexadecimalText.text(number)) ".utf8)
  }

  /// The mark behind what a dispatch has printed.
  package func bytes(of reference: DispatchReference) -> [UInt8] {
    let operation = HexadecimalText.text(reference.operation.rawValue)
    let dispatch = HexadecimalText.text(reference.dispatch.rawValue)
    return prefix + Array("\(operation) \(dispatch)\n".utf8)
  }

  /// The dispatch that a mark names; nil where the bytes are none.
  func reference(in bytes: ArraySlice<UInt8>) -> DispatchReference? {
    guard bytes.count == Self.count, bytes.starts(with: prefix), bytes.last == 0x0A else {
      return nil
    }
    let numbers = bytes.dropFirst(prefix.count).dropLast().split(
      separator: UInt8(ascii: " "),
      omittingEmptySubsequences: false
    )
    guard numbers.count == 2, let operation = HexadecimalText.number(numbers[0]),
      let dispatch = HexadecimalText.number(numbers[1])
    else { return nil }
    return DispatchReference(
      operation: OperationID(rawValue: operation),
      dispatch: DispatchNumber(rawValue: dispatch)
    )
  }

  /// Whether bytes may be the beginning of a mark.
  func mayBegin(with bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count < Self.count
      && bytes.prefix(prefix.count).elementsEqual(prefix.prefix(bytes.count))
  }
}

/// Numbers as sixteen hexadecimal digits.
package enum HexadecimalText {
  package static func text(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The number of sixteen digits; nil where they are none.
  package static func number(_ digits: some Collection<UInt8>) -> UInt64? {
    guard digits.count == 16, digits.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

/// Finds the marks in what a worker writes to its standard error, however it is divided.
package struct PrintMarkScanner: Sendable {
  private let mark: PrintMark
  /// Bytes at the end that may be the beginning of a mark.
  private var pending: [UInt8] = []

  package init(_ mark: PrintMark) {
    self.mark = mark
  }

  /// What was found.
  package enum Piece: Hashable, Sendable {
    case text(ArraySlice<UInt8>)
    /// What a dispatch has printed ends here.
    case end(DispatchReference)
  }

  /// Gives text and marks to the closure, in order.
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

  /// No more comes: what may have been the beginning of a mark is text.
  package mutating func takePending() -> [UInt8] {
    defer { pending = [] }
    return pending
  }
}

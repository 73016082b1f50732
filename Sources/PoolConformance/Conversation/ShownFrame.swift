import PoolModel
import PoolText

/// A frame, or other bytes, as people read it.
package struct ShownFrame: Hashable, Sendable, CustomStringConvertible {
  package enum Direction: String, Hashable, Sendable {
    case toWorker = ">"
    case fromWorker = "<"
  }

  package var direction: Direction
  /// `TYPE JSON`, or the first bytes in hexadecimal digits.
  private let text: String

  /// Columns of JSON, and bytes in digits, that are shown.
  private static let (jsonWidth, byteCount) = (160, 24)

  /// A frame's body.
  package init(_ direction: Direction, body: [UInt8], type: String?) {
    self.direction = direction
    let line = body.last == UInt8(ascii: "\n") ? body.dropLast() : body[...]
    // A character has at most four bytes.
    let json = Printable.text(line.prefix(Self.jsonWidth * 4))
    text = (type.map { $0 + " " } ?? "") + DisplayWidth.truncate(json, to: Self.jsonWidth)
  }

  /// Bytes that are no frame.
  package init(_ direction: Direction, raw bytes: [UInt8]) {
    self.direction = direction
    let digits = bytes.prefix(Self.byteCount).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    let rest = bytes.count > Self.byteCount ? " …" : ""
    text = "\(Plural.of(bytes.count, "byte")): " + digits.joined(separator: " ") + rest
  }

  /// Something that is no bytes, such as the end of the input.
  package init(_ direction: Direction, event: String) {
    (self.direction, text) = (direction, "(\(event))")
  }

  package var description: String { "\(direction.rawValue) \(text)" }
}

import PoolModel

/// A breach of the protocol by a peer; a value, because it is not a bug of this program.
package enum Violation: Error, Hashable, Sendable {
  /// No magic line within the first 64 KiB; these are its first bytes.
  case noMagic([UInt8])
  /// The stream ended before the magic line; these are its first bytes.
  case endBeforeMagic([UInt8])
  /// A line that resembles the magic line, and differs.
  case otherGreeting([UInt8])
  /// A frame came instead of the magic line; this is the start of its body.
  case frameBeforeMagic([UInt8])
  /// No greeting came within this many nanoseconds, but these bytes.
  case silent(Int64, [UInt8])
  /// A frame of this many bytes is over the limit.
  case oversized(Int)
  /// After this many bytes of a frame, the next ones came too late or too slowly.
  case stalled(Int)
  /// The stream ended within a frame.
  case truncated
  /// A block of a sealed stream is not what was sealed.
  case damaged
  /// A frame's body does not end with a line feed.
  case noLineFeed
  /// A frame's body is not a JSON object.
  case notJSON(JSONError)
  /// A message lacks this field, or has it with another type.
  case field(String, inMessage: String)
  /// An output's file has fewer bytes than announced.
  case shortFile(announced: Int64, found: Int64)
  /// An output is in a file, although the coordinator cannot open the worker's files.
  case uninvitedFile
  /// The bytes before a message are not a packed value.
  case wrongAttachment(PackedError)
  /// A message that is not allowed in this state of the conversation.
  case unexpected(String)
}

extension Violation: CustomStringConvertible {
  /// The end of a sentence about the peer.
  package var description: String {
    switch self {
    case .noMagic(let bytes):
      "sent no 'OPOOL-WORKER 1' line in its first 64 KiB, but \(Self.quoted(bytes))"
    case .endBeforeMagic(let bytes):
      bytes.isEmpty
        ? "ended without a word"
        : "ended without an 'OPOOL-WORKER 1' line, after \(Self.quoted(bytes))"
    case .otherGreeting(let line):
      // With its carriage return, because that may be the error.
      "greeted with “\(String(decoding: line.prefix(80), as: UTF8.self))”, which is not the line 'OPOOL-WORKER 1'"
    case .frameBeforeMagic(let bytes):
      "sent a frame before an 'OPOOL-WORKER 1' line: \(Self.quoted(bytes))"
    case .silent(let time, let bytes):
      "did not greet within \(Printable.seconds(time))"
        + (bytes.isEmpty ? "" : ", but sent \(Self.quoted(bytes))")
    case .oversized(let count):
      "announced a frame of \(count) bytes, which is over the limit" + Self.hint(at: count)
    case .stalled(let count):
      "stopped in the middle of a frame, after \(Plural.of(count, "byte")) of it"
    case .truncated: "ended in the middle of a frame"
    case .damaged: "sent bytes that were damaged on their way: their checksum is wrong"
    case .noLineFeed: "sent a frame that does not end with a line feed"
    case .notJSON(let error): "sent a frame that is not a JSON object: \(error)"
    case .field(let field, let message):
      "sent \(Self.article(message)) '\(message)' with a wrong or missing '\(field)'"
    case .shortFile(let announced, let found):
      "announced a file with \(announced) bytes of output, which has \(found)"
    case .uninvitedFile: "left an output in a file, though its files cannot be opened from here"
    case .wrongAttachment(let error): "sent an attachment that is no packed value: \(error)"
    case .unexpected(let what): "sent \(what)"
    }
  }

  /// The article before a message's name.
  private static func article(_ name: String) -> String {
    name.first.map("aeiou".contains) ?? false ? "an" : "a"
  }

  /// A length that looks like text was probably printed into the stream.
  private static func hint(at count: Int) -> String {
    let bytes = withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).bigEndian) { Array($0) }
    let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) || (9...13).contains($0) }
    return isText ? ": as text it is \(quoted(bytes)), which something printed there" : ""
  }

  /// The first bytes of a text, readable for people.
  private static func quoted(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(80), as: UTF8.self)
    return "“\(text.split(whereSeparator: \.isNewline).joined(separator: " ⏎ "))”"
  }
}

/// Why a text is not the expected JSON, and where.
package struct JSONError: Error, Hashable {
  /// Offset of the first wrong byte, from the start of the scanned text.
  package var offset: Int
  /// The error, as the end of a sentence.
  package var reason: Reason

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  package enum Reason: Hashable, Sendable {
    case expected(String)
    case unexpectedEnd
    case controlCharacter
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    case invalidNumber
    case numberOutOfRange
    case tooDeep
    case trailingBytes
    case invalidBase64
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "\(reason) at byte \(offset + 1)" }
}

extension JSONError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .expected(let what): "expected \(what)"
    case .unexpectedEnd: "the text ends too early"
    case .controlCharacter: "an unescaped control character in a string"
    case .invalidEscape: "an escape that JSON does not know"
    case .loneSurrogate: "half of a surrogate pair"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .invalidNumber: "a malformed number"
    case .numberOutOfRange: "a number out of range"
    case .tooDeep: "nested deeper than \(JSONScanner.depthLimit) levels"
    case .trailingBytes: "something after the end of the value"
    case .invalidBase64: "invalid base64"
    }
  }
}

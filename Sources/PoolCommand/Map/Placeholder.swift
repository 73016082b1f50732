/// A placeholder in a command for inputs, or for parts of them; as in GNU parallel.
package struct Placeholder: Hashable, Sendable {
  /// What it stands for.
  enum Subject: Hashable {
    /// All fields of the input.
    case all
    /// One field: from 1, or, negative, from the last.
    case field(Int)
    /// The number of the input, from 1.
    case number
    /// The number of the slot, from 1, which only the worker knows.
    case slot
  }

  var subject: Subject
  /// The part of a field that it stands for.
  var part = PathPart.whole
  /// Its text in a command.
  var spelling: String

  package static func == (left: Self, right: Self) -> Bool {
    left.subject == right.subject && left.part == right.part
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(subject)
    hasher.combine(part)
  }

  /// The input, with all of its fields.
  static let input = Self(subject: .all, spelling: "{}")

  /// Whether it stands for digits, which are no syntax anywhere.
  var isNumber: Bool { subject == .number || subject == .slot }

  /// Its values for an input: one, or one for each field.
  func values(_ input: TemplateInput) -> [ArraySlice<UInt8>] {
    switch subject {
    case .all: return input.fields.map { part.of($0[...]) }
    case .number: return [Array(String(input.number).utf8)[...]]
    case .slot: return []
    case .field(let position):
      let index = position > 0 ? position - 1 : input.fields.count + position
      // The last execution of a batch may have fewer fields.
      return [input.fields.indices.contains(index) ? part.of(input.fields[index][...]) : []]
    }
  }
}

extension Placeholder {
  /// What a text that begins with a brace is.
  enum Match {
    case placeholder(Placeholder, count: Int)
    /// Text that looks like a placeholder of GNU parallel and is none here.
    case unknown(String)
  }

  /// Characters of a text in braces that are longer are none of a placeholder.
  private static let longest = 16

  /// The placeholder at the start of these bytes, and its length; nil for other text.
  static func match(_ bytes: ArraySlice<UInt8>) -> (placeholder: Self, count: Int)? {
    guard case .placeholder(let placeholder, let count) = parse(bytes) else { return nil }
    return (placeholder, count)
  }

  /// What these bytes begin with; nil for ordinary text.
  static func parse(_ bytes: ArraySlice<UInt8>) -> Match? {
    guard bytes.first == UInt8(ascii: "{"),
      let end = bytes.prefix(longest).firstIndex(of: UInt8(ascii: "}"))
    else { return nil }
    let content = bytes[(bytes.startIndex + 1)..<end]
    let spelling = "{\(String(decoding: content, as: UTF8.self))}"
    guard let placeholder = Self(content, spelling) else {
      return looksLikeOne(content) ? .unknown(spelling) : nil
    }
    return .placeholder(placeholder, count: end + 1 - bytes.startIndex)
  }

  private init?(_ content: ArraySlice<UInt8>, _ spelling: String) {
    self.spelling = spelling
    switch spelling {
    case "{#}": subject = .number
    case "{%}": subject = .slot
    default:
      let digits = content.prefix { DecimalText.isDigit($0) || $0 == UInt8(ascii: "-") }
      guard
        let part = PathPart(rawValue: String(decoding: content[digits.endIndex...], as: UTF8.self))
      else { return nil }
      self.part = part
      guard !digits.isEmpty else {
        subject = .all
        return
      }
      guard let position = Int(String(decoding: digits, as: UTF8.self)), position != 0
      else { return nil }
      subject = .field(position)
    }
  }

  /// Whether a text in braces is made of the signs of placeholders alone, or begins like an
  /// expression of GNU parallel.
  private static func looksLikeOne(_ content: ArraySlice<UInt8>) -> Bool {
    let signs = "./+#%".utf8
    return content.first == UInt8(ascii: "=")
      || content.contains { signs.contains($0) }
        && content.allSatisfy {
          signs.contains($0) || DecimalText.isDigit($0) || $0 == UInt8(ascii: "-")
        }
        && !isRange(content)
  }

  /// Whether it is a range of bash, such as `1..3`.
  private static func isRange(_ content: ArraySlice<UInt8>) -> Bool {
    guard let first = content.first, let last = content.last else { return false }
    return DecimalText.isDigit(first) && DecimalText.isDigit(last)
  }
}

/// What a command is filled with: the fields of an input, and its number from 1.
package struct TemplateInput {
  package var fields: [[UInt8]]
  package var number: Int

  package init(_ fields: [[UInt8]], number: Int) {
    self.fields = fields
    self.number = number
  }
}

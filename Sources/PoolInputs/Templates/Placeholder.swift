import PoolText

/// A placeholder in a command for inputs, or for parts of them; as in GNU parallel.
package struct Placeholder: Hashable, Sendable {
  /// What it stands for.
  package enum Subject: Hashable, Sendable {
    /// All fields of the input.
    case all
    /// One field: from 1, or, negative, from the last.
    case field(Int)
    /// The number of the input, from 1.
    case number
    /// The number of the slot, from 1, which only the worker knows.
    case slot
  }

  package var subject: Subject
  /// The part of a field that it stands for.
  var part = PathPart.whole
  /// Its text in a command.
  package var spelling: String

  package static func == (left: Self, right: Self) -> Bool {
    left.subject == right.subject && left.part == right.part
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(subject)
    hasher.combine(part)
  }

  /// The input, with all of its fields.
  package static let input = Self(subject: .all, spelling: "{}")

  /// Whether it stands for digits, which are no syntax anywhere.
  package var isNumber: Bool { subject == .number || subject == .slot }

  /// Whether it is a number from 1 in braces, which repeats what is before it in a regular
  /// expression.
  var isOnlyDigits: Bool {
    if case .field(let position) = subject { position > 0 && part == .whole } else { false }
  }

  /// Its values for an input: one, or one for each field.
  package func values(_ input: TemplateInput) -> [ArraySlice<UInt8>] {
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
  /// The placeholder with this content of its braces; nil for another text.
  init?(_ content: ArraySlice<UInt8>, _ spelling: String) {
    self.spelling = spelling
    switch spelling {
    case "{#}": subject = .number
    case "{%}": subject = .slot
    default:
      let digits = content.prefix { DecimalParser.isDigit($0) || $0 == UInt8(ascii: "-") }
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
}

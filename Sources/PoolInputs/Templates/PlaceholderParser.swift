import PoolText

/// Finds placeholders in a command; some may be the names of columns.
struct PlaceholderParser {
  /// What a text that begins with a brace is.
  enum Match {
    case placeholder(Placeholder, count: Int)
    /// Text that looks like a placeholder of GNU parallel but is not supported here.
    case unknown(String)
    /// A name that more than one column has.
    case ambiguous(String)
  }

  /// Texts in braces with more bytes are no placeholders, beside names.
  private static let longest = 16

  private let names: ColumnNames
  /// The only text that stands for an input; nil for those in braces.
  private let replacement: [UInt8]?

  init(_ fields: FieldLayout = FieldLayout()) {
    (names, replacement) = (fields.names, fields.replacement)
  }

  /// The placeholder of the whole input.
  var input: Placeholder {
    guard let replacement else { return .input }
    return Placeholder(subject: .all, spelling: String(decoding: replacement, as: UTF8.self))
  }

  /// The text of the placeholder of the whole input.
  var inputText: [UInt8] { replacement ?? Array("{}".utf8) }

  /// The placeholder at the start of these bytes, and its length; nil for other text.
  func match(_ bytes: ArraySlice<UInt8>) -> (placeholder: Placeholder, count: Int)? {
    guard case .placeholder(let placeholder, let count) = parse(bytes) else { return nil }
    return (placeholder, count)
  }

  /// What these bytes begin with; nil for ordinary text.
  func parse(_ bytes: ArraySlice<UInt8>) -> Match? {
    if let replacement {
      return bytes.starts(with: replacement) ? .placeholder(input, count: replacement.count) : nil
    }
    guard bytes.first == UInt8(ascii: "{"),
      let end = bytes.prefix(Self.longest + names.longest).firstIndex(of: UInt8(ascii: "}"))
    else { return nil }
    let content = bytes[(bytes.startIndex + 1)..<end]
    let spelling = "{\(String(decoding: content, as: UTF8.self))}"
    let length = end + 1 - bytes.startIndex
    if let placeholder = Placeholder(content, spelling) {
      return .placeholder(placeholder, count: length)
    }
    do throws(ColumnNames.AmbiguousName) {
      if let placeholder = try named(content, spelling) {
        return .placeholder(placeholder, count: length)
      }
    } catch {
      return .ambiguous(spelling)
    }
    return Self.looksLikeOne(content) ? .unknown(spelling) : nil
  }

  /// A name, and the part of its field.
  private func named(
    _ content: ArraySlice<UInt8>,
    _ spelling: String
  ) throws(ColumnNames.AmbiguousName) -> Placeholder? {
    guard names.longest > 0 else { return nil }
    // The longest name counts: `a.` is one before it is a part of `a`.
    for part in PathPart.shortestFirst where content.ends(with: part.rawValue.utf8) {
      if let position = try names.position(of: content.dropLast(part.rawValue.utf8.count)) {
        return Placeholder(subject: .field(position), part: part, spelling: spelling)
      }
    }
    return nil
  }

  /// Whether a text in braces is made of the signs of placeholders alone, or begins like an
  /// expression of GNU parallel.
  private static func looksLikeOne(_ content: ArraySlice<UInt8>) -> Bool {
    let signs = "./+#%".utf8
    return content.first == UInt8(ascii: "=")
      || content.contains { signs.contains($0) }
        && content.allSatisfy {
          signs.contains($0) || DecimalParser.isDigit($0) || $0 == UInt8(ascii: "-")
        }
        && !isRange(content)
  }

  /// Whether it is a range of bash, such as `1..3`.
  private static func isRange(_ content: ArraySlice<UInt8>) -> Bool {
    guard let first = content.first, let last = content.last else { return false }
    return DecimalParser.isDigit(first) && DecimalParser.isDigit(last)
  }
}

extension PathPart {
  fileprivate static let shortestFirst = allCases.sorted {
    $0.rawValue.utf8.count < $1.rawValue.utf8.count
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func ends(with end: some BidirectionalCollection<UInt8>) -> Bool {
    reversed().starts(with: end.reversed())
  }
}

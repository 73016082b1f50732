import PoolText

/// Turns the words of a command into a template.
struct TemplateParser {
  private let fields: FieldLayout
  private let shell: [UInt8]?
  private let placeholders: PlaceholderParser

  /// Prepares for inputs of this layout, and a shell, if the user asked for one.
  init(_ fields: FieldLayout, shell: [UInt8]?) {
    self.fields = fields
    self.shell = shell
    placeholders = PlaceholderParser(fields)
  }

  /// Whether the input is appended to a command without placeholders.
  private var takesInput: Bool { fields.lack == nil }

  private func hasPlaceholder(_ text: [UInt8]) -> Bool {
    text.indices.contains { placeholders.match(text[$0...]) != nil }
  }

  /// Parses a command; refuses one in which an input could become syntax of the line itself.
  func parse(
    _ command: [[UInt8]]
  ) throws(UsageError) -> (form: Template.Form, outline: CommandOutline) {
    let isBlank = command.first?.allSatisfy(ShellWords.isBlank) ?? true
    if isBlank { throw UsageError("the command is empty", topic: .map) }
    for word in command { try check(word) }
    guard let words = splitWords(command) else {
      let (pieces, outline) = try pieces(ofLine: command[0])
      return (.line(pieces), outline)
    }
    let appends = takesInput && !words.contains(where: hasPlaceholder)
    let outline = CommandOutline(
      words: appends ? words + [placeholders.inputText] : words,
      placeholders
    )
    return (form(ofWords: pieces(ofWords: words)), outline)
  }

  /// The words of a command for which no shell is needed; nil for a line.
  private func splitWords(_ command: [[UInt8]]) -> [[UInt8]]? {
    if command.count > 1 { return command }
    return shell == nil ? ShellWords.split(command[0], placeholders) : nil
  }

  /// Refuses text that looks like a placeholder but is not one, or has no field.
  func check(_ word: [UInt8]) throws(UsageError) {
    for index in word.indices {
      switch placeholders.parse(word[index...]) {
      case nil:
        try checkName(word[index...], isVariable: index > 0 && word[index - 1] == UInt8(ascii: "$"))
      case .unknown(let spelling): throw TemplateError.unknown(spelling)
      case .ambiguous(let spelling): throw TemplateError.ambiguous(spelling)
      case .placeholder(let placeholder, _):
        try check(placeholder)
        if fields.replacement == nil { try demandMeant(placeholder, at: index, in: word) }
      }
    }
  }

  /// Refuses a word in braces that looks like a column's name but is not one.
  ///
  /// `${NAME}` is a variable of a shell.
  private func checkName(_ text: ArraySlice<UInt8>, isVariable: Bool) throws(UsageError) {
    guard !fields.names.list.isEmpty, fields.replacement == nil, !isVariable,
      text.first == UInt8(ascii: "{")
    else { return }
    let name = text.dropFirst().prefix(while: Self.isPartOfName)
    guard !name.isEmpty, text.dropFirst(name.count + 1).first == UInt8(ascii: "}") else { return }
    throw TemplateError.noColumn(Array(name), fields.names)
  }

  /// Refuses a placeholder that is rather a part of a regular expression, such as `[0-9]{1}`, or of
  /// another program's template, such as `{{.}}`.
  private func demandMeant(
    _ placeholder: Placeholder,
    at index: Int,
    in word: [UInt8]
  ) throws(UsageError) {
    let before = word[..<index].suffix(2)
    let behind = word.dropFirst(index + placeholder.spelling.utf8.count).first
    let isRepetition = placeholder.isOnlyDigits && Self.endsAtom(before)
    let isDot = placeholder.part == .withoutExtension && placeholder.subject == .all
    let isInBraces = before.last == UInt8(ascii: "{") && behind == UInt8(ascii: "}")
    guard isRepetition || isDot && isInBraces else { return }
    throw TemplateError.ordinaryText(placeholder, in: word)
  }

  /// Whether a text ends as what a regular expression repeats: a bracket, or an escaped letter.
  private static func endsAtom(_ text: ArraySlice<UInt8>) -> Bool {
    guard let last = text.last else { return false }
    if last == UInt8(ascii: "]") || last == UInt8(ascii: ")") { return true }
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(last | 0x20)
    return isLetter && text.count == 2 && text.first == UInt8(ascii: "\\")
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func check(_ placeholder: Placeholder) throws(UsageError) {
    if let lack = fields.lack, !placeholder.isNumber {
      throw TemplateError.noInput(for: placeholder, lack)
    }
    guard case .field(let position) = placeholder.subject else { return }
    if !fields.hasPositions { throw TemplateError.noPosition(placeholder) }
    if let count = fields.count, abs(position) > count {
      throw TemplateError.noField(placeholder, of: count)
    }
  }
}

// MARK: - Words

extension TemplateParser {
  private func pieces(ofWords words: [[UInt8]]) -> [[TemplatePiece]] {
    var words = words.map(pieces(ofWord:))
    let hasPlaceholder = words.joined().contains {
      if case .text = $0 { false } else { true }
    }
    if takesInput, !hasPlaceholder { words.append([.placeholder(placeholders.input, .verbatim)]) }
    return fields.repeatsWords ? words.map(\.repeatedForFields) : words
  }

  private func pieces(ofWord word: [UInt8]) -> [TemplatePiece] {
    var builder = PieceBuilder()
    var index = 0
    while index < word.count {
      if let match = placeholders.match(word[index...]) {
        builder.append(match.placeholder, .verbatim)
        index += match.count
      } else {
        builder.append(word[index])
        index += 1
      }
    }
    return builder.finish()
  }

  /// Words need a shell only for their slot, or if a shell was requested.
  private func form(ofWords words: [[TemplatePiece]]) -> Template.Form {
    guard words.joined().contains(where: \.hasSlot) || shell != nil else { return .words(words) }
    var builder = PieceBuilder()
    if shell == nil { builder.append(contentsOf: "exec".utf8) }
    for (index, word) in words.enumerated() {
      if index > 0 || shell == nil { builder.append(UInt8(ascii: " ")) }
      if word.isEmpty { builder.append(contentsOf: "''".utf8) }
      builder.append(contentsOf: word.quotedForLine)
    }
    return .line(builder.finish())
  }
}

extension TemplatePiece {
  fileprivate var hasSlot: Bool {
    switch self {
    case .text: false
    case .placeholder(let placeholder, _): placeholder.subject == .slot
    case .repeated(let pieces): pieces.contains(where: \.hasSlot)
    }
  }
}

extension [TemplatePiece] {
  /// The pieces of a word, as parts of a line for a shell.
  fileprivate var quotedForLine: Self {
    var builder = PieceBuilder()
    for piece in self {
      switch piece {
      case .text(let text): builder.append(contentsOf: ShellQuoting.quotedLine([text]))
      case .placeholder(let placeholder, _): builder.append(inLine: placeholder, .none)
      case .repeated(let pieces): builder.append(contentsOf: [.repeated(pieces.quotedForLine)])
      }
    }
    return builder.finish()
  }
}

// MARK: - Lines

extension TemplateParser {
  private func pieces(
    ofLine line: [UInt8]
  ) throws(UsageError) -> ([TemplatePiece], CommandOutline) {
    let line = !takesInput || hasPlaceholder(line) ? line : try appendingInput(to: line)
    var context = ShellContext(line: line)
    var pieces = LinePieces(repeatsWords: fields.repeatsWords)
    var outline = LineOutline()
    var index = 0
    while index < line.count {
      if let match = placeholders.match(line[index...]) {
        if match.placeholder.isNumber, context.takesNumber {
          try pieces.append(match.placeholder, .verbatim)
        } else if let refusal = context.refusal {
          throw TemplateError.unsafe(match.placeholder, refusal)
        } else {
          try pieces.append(match.placeholder, context.quoting)
        }
        outline.pass(match.placeholder)
        context.passPlaceholder()
        index += match.count
      } else {
        try pieces.append(line[index], in: context)
        outline.pass(line[index], before: line[(index + 1)...].first, in: context)
        context.pass(line[index])
        index += 1
      }
    }
    if let unfinished = context.unfinished {
      throw UsageError("the command has \(unfinished)", argument: line, topic: .map)
    }
    return (pieces.finish(), outline.finish())
  }

  /// The line with the input as its last argument.
  private func appendingInput(to line: [UInt8]) throws(UsageError) -> [UInt8] {
    let end = line.last { !ShellWords.isBlank($0) }
    if let end, ";&|(\n".utf8.contains(end) {
      throw UsageError(
        "the input would become a command of its own",
        argument: line,
        hint: "write \(placeholders.input.spelling) where it belongs",
        topic: .map
      )
    }
    if line.last == UInt8(ascii: "\\") {
      throw UsageError("the command has a backslash at its end", argument: line, topic: .map)
    }
    return line + [UInt8(ascii: " ")] + placeholders.inputText
  }
}

package import PoolWire

/// The command of `opool map`, parsed once and filled in for each input.
///
/// Several words are an argv, into which inputs are put as text: each word stays one word. A single
/// word is a line for `/bin/sh` in which every input is one quoted word, or part of one, at any
/// placeholder; ``ShellContext`` refuses places where that is not certain. A line without special
/// characters is split here, without a shell.
package struct Template: Hashable, Sendable {
  /// A part of a word or line.
  private enum Piece: Hashable {
    case text([UInt8])
    case placeholder(Placeholder, ShellContext.Quoting)
  }

  private enum Form: Hashable {
    case words([[Piece]])
    case line([Piece])
  }

  private let form: Form
  /// The program that reads inputs as shell text, if there is one.
  private let nestedProgram: NestedProgram?
  /// The program that executes a line; nil for `/bin/sh`.
  private let shell: [UInt8]?

  /// Parses the words of a command, whose executions have so many fields of input.
  ///
  /// Without a placeholder, the input is the last argument; with no field there is none.
  package init(
    command: [[UInt8]],
    shell: [UInt8]? = nil,
    fieldCount: Int = 1
  ) throws(UsageError) {
    self.shell = shell
    let isBlank = command.first?.allSatisfy(ShellWords.isBlank) ?? true
    if isBlank { throw UsageError("the command is empty", topic: .map) }
    let takesInput = fieldCount > 0
    for word in command { try Self.check(word, fieldCount: fieldCount) }
    let last: [NestedProgram.Word] = takesInput ? [.input] : []
    if let words = command.count > 1 ? command : shell == nil ? ShellWords.split(command[0]) : nil {
      form = Self.form(ofWords: Self.pieces(ofWords: words, takesInput), shell: shell)
      nestedProgram = NestedProgram(in: NestedProgram.words(words) + last)
    } else {
      form = .line(try Self.pieces(ofLine: command[0], takesInput))
      nestedProgram = NestedProgram(in: NestedProgram.words(ofLine: command[0]) + last)
    }
    if let nestedProgram, nestedProgram.use == .part { throw Self.unsafe(nestedProgram) }
  }

  /// What the user should know of a command that is executed; nil for nothing.
  package var warning: String? {
    nestedProgram.map { "each input is executed as a command line, by '\($0.program)'" }
  }

  /// The command for an input.
  package func command(_ input: TemplateInput) -> CommandPayload {
    switch form {
    case .words(let words): CommandPayload(.run(words.flatMap { Self.words($0, input) }))
    case .line(let pieces): CommandPayload(.line(Self.line(pieces, input), by: shell))
    }
  }

  /// The words that a word becomes: more than one where a placeholder stands for several fields.
  private static func words(_ pieces: [Piece], _ input: TemplateInput) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let text): word.append(contentsOf: text)
      case .placeholder(let placeholder, _):
        for (index, value) in placeholder.values(input).enumerated() {
          if index > 0 {
            words.append(word)
            word = []
          }
          word.append(contentsOf: value)
        }
      }
    }
    return words + [word]
  }

  private static func line(_ pieces: [Piece], _ input: TemplateInput) -> [UInt8] {
    var line: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let text): line.append(contentsOf: text)
      case .placeholder(let placeholder, let quoting):
        for (index, value) in placeholder.values(input).enumerated() {
          if index > 0 { line.append(UInt8(ascii: " ")) }
          quoting.append(value, to: &line)
        }
      }
    }
    return line
  }
}

extension ShellContext.Quoting {
  /// The worker's slot as a part of a word: a variable, which its environment has.
  fileprivate var slot: String {
    let variable = "${\(ExecutionVariable.slot.rawValue)}"
    return switch self {
    case .verbatim, .double: variable
    case .none: "\"\(variable)\""
    case .single: "'\"\(variable)\"'"
    }
  }

  /// Appends a value as text between its surroundings.
  ///
  /// It uses only single quotes, so it closes a quote of another kind before, and opens it again
  /// after.
  fileprivate func append(_ value: ArraySlice<UInt8>, to line: inout [UInt8]) {
    switch self {
    case .verbatim:
      line.append(contentsOf: value)
    case .none:
      ShellQuoting.appendQuoted(value, to: &line)
    case .single:
      ShellQuoting.appendQuotedBody(value, to: &line)
    case .double:
      line.append(UInt8(ascii: "\""))
      ShellQuoting.appendQuoted(value, to: &line)
      line.append(UInt8(ascii: "\""))
    }
  }
}

// MARK: - Understanding

extension Template {
  /// Refuses what looks like a placeholder and is none, or has no field.
  private static func check(_ word: [UInt8], fieldCount: Int) throws(UsageError) {
    for index in word.indices {
      switch Placeholder.parse(word[index...]) {
      case nil: continue
      case .unknown(let spelling):
        throw UsageError("no placeholder of opool", argument: Array(spelling.utf8), topic: .map)
      case .placeholder(let placeholder, _):
        if fieldCount == 0, !placeholder.isNumber { throw noInput(for: placeholder) }
        guard case .field(let position) = placeholder.subject, abs(position) > fieldCount
        else { continue }
        throw UsageError(
          "each execution has \(fieldCount) input\(fieldCount == 1 ? "" : "s")",
          argument: Array(placeholder.spelling.utf8),
          hint: "another text with braces can be in a variable, such as \"$A\"",
          topic: .map
        )
      }
    }
  }

  /// Words need a shell only for their slot, or where one was asked for.
  private static func form(ofWords words: [[Piece]], shell: [UInt8]?) -> Form {
    let hasSlot = words.joined().contains {
      if case .placeholder(let placeholder, _) = $0 { placeholder.subject == .slot } else { false }
    }
    guard hasSlot || shell != nil else { return .words(words) }
    var builder = PieceBuilder()
    if shell == nil { builder.append(contentsOf: "exec".utf8) }
    for (index, word) in words.enumerated() {
      if index > 0 || shell == nil { builder.append(UInt8(ascii: " ")) }
      if word.isEmpty { builder.append(contentsOf: "''".utf8) }
      for piece in word {
        switch piece {
        case .text(let text): builder.append(contentsOf: ShellQuoting.quotedLine([text]))
        case .placeholder(let placeholder, _): builder.append(inLine: placeholder, .none)
        }
      }
    }
    return .line(builder.finish())
  }

  private static func pieces(ofWords words: [[UInt8]], _ takesInput: Bool) -> [[Piece]] {
    var words = words.map(pieces(ofWord:))
    let hasPlaceholder = words.contains { word in
      word.contains { if case .placeholder = $0 { true } else { false } }
    }
    if takesInput, !hasPlaceholder { words.append([.placeholder(.input, .verbatim)]) }
    return words
  }

  private static func pieces(ofWord word: [UInt8]) -> [Piece] {
    var builder = PieceBuilder()
    var index = 0
    while index < word.count {
      if let match = Placeholder.match(word[index...]) {
        builder.append(match.placeholder, .verbatim)
        index += match.count
      } else {
        builder.append(word[index])
        index += 1
      }
    }
    return builder.finish()
  }

  private static func pieces(
    ofLine line: [UInt8],
    _ takesInput: Bool
  ) throws(UsageError) -> [Piece] {
    let hasPlaceholder = line.indices.contains { Placeholder.match(line[$0...]) != nil }
    let line = hasPlaceholder || !takesInput ? line : try appending(to: line)
    var context = ShellContext(line: line)
    var builder = PieceBuilder()
    var index = 0
    while index < line.count {
      if let match = Placeholder.match(line[index...]) {
        if match.placeholder.isNumber, context.takesNumber {
          builder.append(inLine: match.placeholder, .verbatim)
        } else if let refusal = context.refusal {
          throw unsafe(match.placeholder, refusal)
        } else {
          builder.append(inLine: match.placeholder, context.quoting)
        }
        context.passPlaceholder()
        index += match.count
      } else {
        context.pass(line[index])
        builder.append(line[index])
        index += 1
      }
    }
    if let unfinished = context.unfinished {
      throw UsageError("the command has \(unfinished)", argument: line, topic: .map)
    }
    return builder.finish()
  }

  /// The line with the input as its last argument.
  private static func appending(to line: [UInt8]) throws(UsageError) -> [UInt8] {
    let end = line.last { !ShellWords.isBlank($0) }
    if let end, ";&|(\n".utf8.contains(end) {
      throw UsageError(
        "the input would become a command of its own",
        argument: line,
        hint: "write {} where it belongs",
        topic: .map
      )
    }
    if line.last == UInt8(ascii: "\\") {
      throw UsageError("the command has a backslash at its end", argument: line, topic: .map)
    }
    return line + Array(" {}".utf8)
  }

  private static func noInput(for placeholder: Placeholder) -> UsageError {
    UsageError(
      "\(placeholder.spelling) stands for no block: a command reads it from standard input",
      hint: "only {#} and {%} have a value with --pipe and --pipepart",
      topic: .map
    )
  }

  private static func unsafe(_ placeholder: Placeholder, _ place: String) -> UsageError {
    UsageError(
      "\(placeholder.spelling) \(place) cannot be quoted safely",
      hint: "write: opool map sh -c '…\"$1\"…' sh {}",
      topic: .map
    )
  }

  private static func unsafe(_ nested: NestedProgram) -> UsageError {
    UsageError(
      "'\(nested.program)' reads its text as a program, in which an input could become a command",
      hint: nested.program == "eval"
        ? "write the line without 'eval'" : "write: \(nested.program) '…\"$1\"…' sh {}",
      topic: .map
    )
  }

  /// Collects bytes into texts.
  private struct PieceBuilder {
    private var pieces: [Piece] = []
    private var text: [UInt8] = []

    mutating func append(_ byte: UInt8) {
      text.append(byte)
    }

    mutating func append(contentsOf bytes: some Sequence<UInt8>) {
      text.append(contentsOf: bytes)
    }

    /// Appends a placeholder of a line, in which the slot is a variable.
    mutating func append(inLine placeholder: Placeholder, _ quoting: ShellContext.Quoting) {
      if placeholder.subject == .slot { return append(contentsOf: quoting.slot.utf8) }
      append(placeholder, quoting)
    }

    mutating func append(_ placeholder: Placeholder, _ quoting: ShellContext.Quoting) {
      endText()
      pieces.append(.placeholder(placeholder, quoting))
    }

    mutating func finish() -> [Piece] {
      endText()
      return pieces
    }

    private mutating func endText() {
      if !text.isEmpty { pieces.append(.text(text)) }
      text = []
    }
  }
}

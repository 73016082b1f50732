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

  /// Parses the words of a command; its input, if it takes one, is its last argument unless it has
  /// a placeholder.
  package init(
    command: [[UInt8]],
    shell: [UInt8]? = nil,
    takesInput: Bool = true
  ) throws(UsageError) {
    self.shell = shell
    let isBlank = command.first?.allSatisfy(ShellWords.isBlank) ?? true
    if isBlank { throw UsageError("the command is empty", topic: .map) }
    let last: [NestedProgram.Word] = takesInput ? [.input] : []
    if let words = command.count > 1 ? command : shell == nil ? ShellWords.split(command[0]) : nil {
      form = .words(Self.pieces(ofWords: words, takesInput))
      nestedProgram = NestedProgram(in: NestedProgram.words(words) + last)
    } else {
      form = .line(try Self.pieces(ofLine: command[0], takesInput))
      nestedProgram = NestedProgram(in: NestedProgram.words(ofLine: command[0]) + last)
    }
    if !takesInput, let placeholder = inputPlaceholder { throw Self.noInput(for: placeholder) }
    if let nestedProgram, nestedProgram.use == .part { throw Self.unsafe(nestedProgram) }
  }

  /// What the user should know of a command that is executed; nil for nothing.
  package var warning: String? {
    nestedProgram.map { "each input is executed as a command line, by '\($0.program)'" }
  }

  /// A placeholder for the input, or a part of it.
  private var inputPlaceholder: Placeholder? {
    let pieces =
      switch form {
      case .words(let words): words.flatMap(\.self)
      case .line(let pieces): pieces
      }
    for case .placeholder(let placeholder, _) in pieces where placeholder != .number {
      return placeholder
    }
    return nil
  }

  /// The command for an input, whose number counts from 1.
  package func command(input: [UInt8], number: Int) -> CommandPayload {
    switch form {
    case .words(let words):
      CommandPayload(action(of: words.map { Self.fill($0, input: input, number: number) }))
    case .line(let pieces):
      CommandPayload(
        .line(Self.fill(pieces, input: input, number: number), by: shell)
      )
    }
  }

  /// The program and its arguments; or a line of the same words, for a shell that was asked for.
  private func action(of words: [[UInt8]]) -> CommandPayload.Action {
    guard let shell else { return .run(words) }
    return .line(ShellQuoting.quotedLine(words), by: shell)
  }

  private static func fill(_ pieces: [Piece], input: [UInt8], number: Int) -> [UInt8] {
    var filled: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .text(let text):
        filled.append(contentsOf: text)
      case .placeholder(let placeholder, let quoting):
        quoting.append(placeholder.value(input, number: number), to: &filled)
      }
    }
    return filled
  }
}

extension ShellContext.Quoting {
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
        if match.placeholder == .number, context.takesNumber {
          builder.append(match.placeholder, .verbatim)
        } else if let refusal = context.refusal {
          throw unsafe(match.placeholder, refusal)
        } else {
          builder.append(match.placeholder, context.quoting)
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
      hint: "only \(Placeholder.number.spelling) has a value with --pipe and --pipepart",
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

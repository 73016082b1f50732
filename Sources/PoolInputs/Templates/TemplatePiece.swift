import PoolText
import PoolWire

/// A part of a word, or of a line, of a command.
package enum TemplatePiece: Hashable, Sendable {
  case text([UInt8])
  case placeholder(Placeholder, ShellContext.Quoting)
  /// A word that appears once for each field of the input.
  indirect case repeated([Self])
}

/// Where the text of a command goes.
protocol TemplateOutput {
  mutating func append(_ text: [UInt8])
  mutating func append(_ value: ArraySlice<UInt8>, _ quoting: ShellContext.Quoting)
  /// Between two fields of one placeholder, or two repetitions of a word.
  mutating func endField()
}

extension TemplatePiece {
  /// Writes the piece for an input, or for one field of it.
  func write(
    _ input: TemplateInput,
    field: [UInt8]? = nil,
    to output: inout some TemplateOutput
  ) {
    switch self {
    case .text(let text): output.append(text)
    case .placeholder(let placeholder, let quoting):
      if let field, placeholder.subject == .all {
        return output.append(placeholder.part.of(field[...]), quoting)
      }
      for (index, value) in placeholder.values(input).enumerated() {
        if index > 0 { output.endField() }
        output.append(value, quoting)
      }
    case .repeated(let pieces):
      for (index, field) in input.fields.enumerated() {
        if index > 0 { output.endField() }
        for piece in pieces { piece.write(input, field: field, to: &output) }
      }
    }
  }

  /// Whether it stands for all fields of an input.
  var isInput: Bool {
    if case .placeholder(let placeholder, _) = self { placeholder.subject == .all } else { false }
  }

  /// Number of bytes of its text.
  var textCount: Int {
    switch self {
    case .text(let text): text.count
    case .placeholder: 0
    case .repeated(let pieces): pieces.reduce(0) { $0 + $1.textCount }
    }
  }
}

extension [TemplatePiece] {
  /// As it is where words with inputs are repeated.
  var repeatedForFields: Self { contains(where: \.isInput) ? [.repeated(self)] : self }

  /// The uses of inputs; each further field of one adds what stands between two, too.
  var uses: [CommandSize.Use] {
    flatMap { piece -> [CommandSize.Use] in
      switch piece {
      case .text: return []
      case .placeholder(let placeholder, let quoting):
        return [CommandSize.Use(placeholder: placeholder, quoting: quoting, separator: 1)]
      case .repeated(let pieces):
        var uses = pieces.uses
        // The text around counts once for each repetition, not once for each placeholder.
        for index in uses.indices { (uses[index].separator, uses[index].isRepeated) = (0, true) }
        uses[uses.firstIndex { $0.placeholder.subject == .all } ?? 0].separator = textCount + 1
        return uses
      }
    }
  }

  /// Number of bytes of all text.
  var textCount: Int { reduce(0) { $0 + $1.textCount } }
}

/// The words of a command that no shell reads.
struct TemplateWords: TemplateOutput {
  private(set) var words: [[UInt8]] = []
  private var word: [UInt8] = []

  /// Starts with memory for that many words.
  init(capacity: Int) {
    words.reserveCapacity(capacity)
  }

  mutating func append(_ text: [UInt8]) {
    // The first piece of a word is mostly all of it, and needs no copy.
    if word.isEmpty { word = text } else { word.append(contentsOf: text) }
  }

  mutating func append(_ value: ArraySlice<UInt8>, _ quoting: ShellContext.Quoting) {
    word.append(contentsOf: value)
  }

  /// Ends a word.
  mutating func endField() {
    words.append(word)
    word = []
  }
}

/// The line of a command that a shell reads.
struct TemplateLine: TemplateOutput {
  private(set) var line: [UInt8] = []

  mutating func append(_ text: [UInt8]) { line.append(contentsOf: text) }

  mutating func append(_ value: ArraySlice<UInt8>, _ quoting: ShellContext.Quoting) {
    quoting.append(value, to: &line)
  }

  mutating func endField() { line.append(UInt8(ascii: " ")) }
}

extension ShellContext.Quoting {
  /// The worker's slot as a part of a word: a variable, which its environment has.
  var slot: String {
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
  func append(_ value: ArraySlice<UInt8>, to line: inout [UInt8]) {
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

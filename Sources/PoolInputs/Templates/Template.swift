package import PoolWire

/// The command of `opool map`, parsed once and filled in for each input.
///
/// Several words are an argv: inputs are inserted as text, and each word stays one word. A single
/// word is a line for `/bin/sh`, in which every input is one quoted word, or a part of one, at any
/// placeholder; ``ShellContext`` refuses places where that is not certain. A line without special
/// characters is split here, without a shell. Which inputs a program of the command could read as
/// commands says the ``InputRule``.
package struct Template: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case words([[TemplatePiece]])
    case line([TemplatePiece])
  }

  private let form: Form
  /// A word among words that a shell would not take for an argument.
  private let shellSign: String?
  private let rule: InputRule
  /// The program that executes a line; nil for `/bin/sh`.
  private let shell: [UInt8]?

  /// Parses the words of a command.
  ///
  /// Without a placeholder, the input is the last argument; with no field there is none. Without a
  /// check, no input is refused.
  package init(
    command: [[UInt8]],
    shell: [UInt8]? = nil,
    fields: FieldLayout = FieldLayout(),
    checksInputs: Bool = true
  ) throws(UsageError) {
    self.shell = shell
    shellSign = command.count > 1 ? ShellWords.sign(in: command) : nil
    let outline: CommandOutline
    (form, outline) = try TemplateParser(fields, shell: shell).parse(command)
    rule = InputRule(outline, fields, isChecked: checksInputs)
  }

  /// What the user should know of a command that is executed; nil for nothing.
  package var warning: String? {
    if let program = rule.program {
      return "each input is executed as a command line, by '\(program)'"
    }
    return shellSign.map {
      "'\($0)' is an argument here; for a shell, put the whole line into quotes"
    }
  }

  /// Whether any input could be refused.
  var mayRefuse: Bool { rule.hasDemands }

  /// Why the command is not executed with an input; nil if it is.
  package func refusal(of input: TemplateInput) -> String? { rule.refusal(of: input) }

  /// The command for an input.
  package func command(_ input: TemplateInput) -> CommandPayload {
    switch form {
    case .words(let words):
      var output = TemplateWords(capacity: words.count)
      for word in words {
        for piece in word { piece.write(input, to: &output) }
        output.endField()
      }
      return CommandPayload(.run(output.words))
    case .line(let pieces):
      var output = TemplateLine()
      for piece in pieces { piece.write(input, to: &output) }
      return CommandPayload(.line(output.line, by: shell))
    }
  }

  /// How long its commands become.
  package var size: CommandSize {
    switch form {
    case .words(let words):
      let text = words.reduce(0) { $0 + $1.textCount + 1 }
      return CommandSize(base: text, uses: words.flatMap(\.uses))
    case .line(let pieces): return CommandSize(base: pieces.textCount + 1, uses: pieces.uses)
    }
  }
}

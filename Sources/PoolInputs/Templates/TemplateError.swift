import PoolText

/// What is wrong with the placeholders of a command.
enum TemplateError {
  static func unknown(_ spelling: String) -> UsageError {
    UsageError(
      "no placeholder of opool",
      argument: Array(spelling.utf8),
      hint: braces,
      topic: .map
    )
  }

  static func ambiguous(_ spelling: String) -> UsageError {
    UsageError(
      "more than one column has this name",
      argument: Array(spelling.utf8),
      hint: "write the number of the column, such as {2}",
      topic: .map
    )
  }

  static func noColumn(_ name: [UInt8], _ names: ColumnNames) -> UsageError {
    let list = Array(names.list.joined(separator: ", ".utf8))
    return UsageError(
      "no column has this name",
      argument: [UInt8(ascii: "{")] + name + [UInt8(ascii: "}")],
      hint: "the columns are: \(MessageExcerpt.input(list))",
      topic: .map
    )
  }

  static func noField(_ placeholder: Placeholder, of count: Int) -> UsageError {
    UsageError(
      "each execution has \(count) input\(count == 1 ? "" : "s")",
      argument: Array(placeholder.spelling.utf8),
      hint: braces,
      topic: .map
    )
  }

  /// A placeholder that looks like a part of another language.
  static func ordinaryText(_ placeholder: Placeholder, in word: [UInt8]) -> UsageError {
    UsageError(
      "\(placeholder.spelling) stands for an input here, not for itself",
      argument: word,
      hint: braces,
      topic: .map
    )
  }

  /// What to do where braces belong to another language.
  private static let braces =
    "write -I R: then R stands for the input, and braces for themselves"

  static func noPosition(_ placeholder: Placeholder) -> UsageError {
    UsageError(
      "-X and -m fill a command with as many inputs as it takes; none has a position",
      argument: Array(placeholder.spelling.utf8),
      hint: "write {} for all of them, or -n N",
      topic: .map
    )
  }

  static func noInput(for placeholder: Placeholder, _ lack: FieldLayout.MissingInputs) -> UsageError
  {
    switch lack {
    case .blocks:
      UsageError(
        "\(placeholder.spelling) stands for no block: a command reads it from standard input",
        hint: "only {#} and {%} have a value with --pipe and --pipepart",
        topic: .map
      )
    case .countOnly:
      UsageError(
        "\(placeholder.spelling) stands for nothing: with 0 inputs each, they are only counted",
        hint: "only {#} and {%} have a value",
        topic: .map
      )
    }
  }

  static func unsafe(_ placeholder: Placeholder, _ place: String) -> UsageError {
    UsageError(
      "\(placeholder.spelling) \(place) cannot be quoted safely",
      hint: "write: opool map sh -c '…\"$1\"…' sh {}",
      topic: .map
    )
  }
}

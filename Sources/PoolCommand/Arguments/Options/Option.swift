import PoolInputs

/// An option of `opool run` or `opool map`.
///
/// Each section lists its options with their rows. Parsing, help, manual page and completions use
/// these rows. An option without a row, or without a place for its value, does not compile.
enum Option: CaseIterable, Hashable {
  case execution(ExecutionOption)
  case graph(GraphOption)
  case inputs(InputOption)
  case blocks(BlockOption)
  case starts(StartOption)
  case failures(FailureOption)
  case output(OutputOption)
  case journal(JournalOption)
  case report(ReportOption)
  case asking(AskOption)
  case check(CheckOption)
  case reference(ReferenceOption)

  /// All options, in the order of the help.
  static let allCases: [Self] =
    ExecutionOption.allCases.map(Self.execution) + GraphOption.allCases.map(Self.graph)
    + InputOption.allCases.map(Self.inputs) + BlockOption.allCases.map(Self.blocks)
    + StartOption.allCases.map(Self.starts)
    + FailureOption.allCases.map(Self.failures)
    + OutputOption.allCases.map(Self.output) + JournalOption.allCases.map(Self.journal)
    + ReportOption.allCases.map(Self.report) + AskOption.allCases.map(Self.asking)
    + CheckOption.allCases.map(Self.check)
    + ReferenceOption.allCases.map(Self.reference)

  /// The option's row in its section.
  var row: OptionRow {
    switch self {
    case .execution(let option): option.row
    case .graph(let option): option.row
    case .inputs(let option): option.row
    case .blocks(let option): option.row
    case .starts(let option): option.row
    case .failures(let option): option.row
    case .output(let option): option.row
    case .journal(let option): option.row
    case .report(let option): option.row
    case .asking(let option): option.row
    case .check(let option): option.row
    case .reference(let option): option.row
    }
  }

  /// The heading above it in the help.
  var heading: String {
    switch self {
    case .execution: "Execution"
    case .graph: "Graph of the plan"
    case .inputs: "Inputs"
    case .blocks: "Blocks of a stream or a file"
    case .starts: "Starts"
    case .failures: "Failures and limits"
    case .output: "Output"
    case .journal: "Journal"
    case .report: "Report"
    case .asking: "Asking a run"
    case .check: "Check of a worker"
    case .reference: "Reference"
    }
  }

  var name: String? { row.name }
  var valueName: String? { row.valueName }

  /// What follows its name in the help: ` TIME`, `[=HOW]`, or nothing.
  var valueLabel: String {
    guard let valueName else { return "" }
    return row.hasOptionalValue ? "[=\(valueName)]" : " " + valueName
  }

  /// As it is written on the command line.
  var spelling: String {
    name.map { "--" + $0 } ?? row.letter.map { "-\($0)" } ?? ""
  }

  /// The letter after one dash; nil where the subcommand has no such letter.
  func letter(in topic: HelpTopic) -> Character? {
    row.letterScope.contains(topic) ? row.letter : nil
  }

  /// Both spellings in a subcommand, such as `-k` and `--keep-order`.
  func spellings(in topic: HelpTopic) -> [String] {
    [letter(in: topic).map { "-\($0)" }, name.map { "--" + $0 }].compactMap(\.self)
  }

  /// The options of a subcommand, in the order of the help.
  static func all(in topic: HelpTopic) -> [Self] {
    allCases.filter { $0.row.scope.contains(topic) }
  }

  /// The options of a subcommand, or of both, below their headings.
  static func sections(in topic: HelpTopic?) -> [(heading: String, options: [Self])] {
    var sections: [(heading: String, options: [Self])] = []
    for option in topic.map(all) ?? allCases {
      if sections.last?.heading != option.heading { sections.append((option.heading, [])) }
      sections[sections.count - 1].options.append(option)
    }
    return sections
  }

  static func named(_ name: String, in topic: HelpTopic) -> Self? {
    all(in: topic).first { $0.name == name || $0.row.aliases.contains(name) }
  }

  static func lettered(_ letter: UInt8, in topic: HelpTopic) -> Self? {
    all(in: topic).first { $0.letter(in: topic)?.asciiValue == letter }
  }
}

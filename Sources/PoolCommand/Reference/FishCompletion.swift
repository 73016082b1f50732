import PoolInputs

/// Completions for fish 3 and later.
enum FishCompletion {
  static var script: String {
    (["# fish completion for opool; made by 'opool completion fish'", "complete -c opool -e"]
      + subcommands + words + options(of: .run) + options(of: .map)
      + options(of: .report) + options(of: .status) + options(of: .explain)
      + options(of: .output) + options(of: .steering)
      + options(of: .checkWorker))
      .joined(separator: "\n") + "\n"
  }

  private static var subcommands: [String] {
    Subcommand.allCases.map { subcommand in
      "complete -c opool -n __fish_use_subcommand -f -a \(subcommand.rawValue) "
        + "-d \(quoted(subcommand.summary))"
    }
  }

  private static var words: [String] {
    Subcommand.allCases.filter { !$0.words.isEmpty }.map { subcommand in
      let isFirst = "test (count (commandline -opc)) -eq 2"
      return
        "complete -c opool -n '__fish_seen_subcommand_from \(subcommand.rawValue); and \(isFirst)' "
        + "-f -a \(quoted(subcommand.words.joined(separator: " ")))"
    }
  }

  private static func options(of topic: HelpTopic) -> [String] {
    Option.all(in: topic).map { option in
      let letter = option.letter(in: topic).map { " -s \($0)" } ?? ""
      let name = option.name.map { " -l \($0)" } ?? ""
      return
        "complete -c opool -n '__fish_seen_subcommand_from \(topic.subcommands.joined(separator: " "))'\(letter)\(name)"
        + value(option) + " -d \(quoted(option.summary))"
    }
  }

  private static func value(_ option: Option) -> String {
    switch option.suggestedValue {
    case .none: ""
    case .file: " -r -F"
    case .other: " -x"
    case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
    }
  }

  /// As one word in single quotes.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}

import PoolInputs

/// Completions for bash 4 and later.
enum BashCompletion {
  static var script: String {
    """
    # bash completion for opool; made by 'opool completion bash'
    _opool() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options
      COMPREPLY=()
      if [[ $COMP_CWORD == 1 ]]; then
        COMPREPLY=($(compgen -W '\(first)' -- "$current"))
        return
      fi
      case ${COMP_WORDS[1]} in
    \(subcommands)
    \(options(of: .run))
    \(options(of: .map))
    \(options(of: .report))
    \(options(of: .status))
    \(options(of: .explain))
    \(options(of: .output))
    \(options(of: .steering))
    \(options(of: .checkWorker))
        *) return ;;
      esac
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
      elif [[ ${COMP_WORDS[1]} == map && $COMP_CWORD == 2 || $previous == -- ]]; then
        COMPREPLY=($(compgen -c -- "$current"))
      else
        COMPREPLY=($(compgen -f -- "$current"))
      fi
    }
    complete -o filenames -o bashdefault -F _opool opool

    """
  }

  private static var first: String {
    (Subcommand.allCases.map(\.rawValue) + ["--help", "--version"]).joined(separator: " ")
  }

  /// The branch of a subcommand with options: their names, and suggestions for their values.
  private static func options(of topic: HelpTopic) -> String {
    let names = Option.all(in: topic).flatMap { $0.spellings(in: topic) }.joined(separator: " ")
    return """
          \(topic.subcommands.joined(separator: "|")))
            options='\(names)'
            case $previous in
      \(values(in: topic))
            esac ;;
      """
  }

  /// What follows the subcommands that have no options.
  private static var subcommands: String {
    Subcommand.allCases.filter { !$0.words.isEmpty }.map { subcommand in
      let words = subcommand.words.joined(separator: " ")
      let files =
        subcommand == .journal
        ? "; [[ $COMP_CWORD == 2 ]] || COMPREPLY=($(compgen -f -- \"$current\"))" : ""
      return """
            \(subcommand.rawValue)) COMPREPLY=($(compgen -W '\(words)' -- "$current"))\(files); return ;;
        """
    }.joined(separator: "\n")
  }

  /// What follows the options that have a value.
  private static func values(in topic: HelpTopic) -> String {
    Option.all(in: topic).compactMap { option in
      let pattern = option.spellings(in: topic).joined(separator: "|")
      switch option.suggestedValue {
      case .none: return nil
      case .other: return "        \(pattern)) return ;;"
      case .file: return "        \(pattern)) COMPREPLY=($(compgen -f -- \"$current\")); return ;;"
      case .words(let words):
        let list = words.joined(separator: " ")
        return "        \(pattern)) COMPREPLY=($(compgen -W '\(list)' -- \"$current\")); return ;;"
      }
    }.joined(separator: "\n")
  }
}

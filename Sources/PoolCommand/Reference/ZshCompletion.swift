import PoolInputs

/// Completions for zsh 5 and later.
enum ZshCompletion {
  static var script: String {
    """
    #compdef opool
    # zsh completion for opool; made by 'opool completion zsh'
    _opool() {
      local -a subcommands run_options map_options report_options status_options explain_options
      local -a output_options steering_options check_options
      subcommands=(
    \(subcommands)
      )
      run_options=(
    \(options(of: .run))
      )
      map_options=(
    \(options(of: .map))
      )
      report_options=(
    \(options(of: .report))
      )
      status_options=(
    \(options(of: .status))
      )
      explain_options=(
    \(options(of: .explain))
      )
      output_options=(
    \(options(of: .output))
      )
      steering_options=(
    \(options(of: .steering))
      )
      check_options=(
    \(options(of: .checkWorker))
      )
      if (( CURRENT == 2 )); then
        _describe subcommand subcommands
        return
      fi
      case $words[2] in
    \(words)
        run|plan) shift words; (( CURRENT-- )); _arguments -s $run_options '*:manifest:_files' ;;
        status) shift words; (( CURRENT-- )); _arguments -s $status_options ;;
        explain) shift words; (( CURRENT-- )); _arguments -s $explain_options '1:id: ' ;;
        output) shift words; (( CURRENT-- )); _arguments -s $output_options '1:id: ' ;;
        cancel) shift words; (( CURRENT-- )); _arguments -s $steering_options '*:id: ' ;;
        scale) shift words; (( CURRENT-- )); _arguments -s $steering_options '1:number: ' ;;
        pause|unpause) shift words; (( CURRENT-- )); _arguments -s $steering_options ;;
        report) shift words; (( CURRENT-- )); _arguments -s $report_options '*:records:_files' ;;
        check-worker)
          shift words; (( CURRENT-- ))
          _arguments -s $check_options '(-)1:command: _command_names -e' '*::argument:_files'
          ;;
        map)
          shift words; (( CURRENT-- ))
          _arguments -s $map_options '(-)1:command: _command_names -e' '*::argument:_files'
          ;;
      esac
    }
    if [[ $funcstack[1] == _opool ]]; then _opool "$@"; else compdef _opool opool; fi

    """
  }

  private static var subcommands: String {
    Subcommand.allCases.map { "    \(quoted("\($0.rawValue):\($0.summary)"))" }
      .joined(separator: "\n")
  }

  private static var words: String {
    Subcommand.allCases.filter { !$0.words.isEmpty }.map { subcommand in
      let list = subcommand.words.joined(separator: " ")
      let files = subcommand == .journal ? " '3:journal:_files'" : ""
      return "    \(subcommand.rawValue)) _arguments '2:word:(\(list))'\(files) ;;"
    }.joined(separator: "\n")
  }

  private static func options(of topic: HelpTopic) -> String {
    Option.all(in: topic).flatMap { option in
      option.spellings(in: topic).map {
        "    " + quoted($0 + "[\(bracketed(option.summary))]" + value(option))
      }
    }.joined(separator: "\n")
  }

  private static func value(_ option: Option) -> String {
    let name = option.valueName?.lowercased() ?? ""
    return switch option.suggestedValue {
    case .none: ""
    case .file: ":\(name):_files"
    case .other: ":\(name): "
    case .words(let words): ":\(name):(\(words.joined(separator: " ")))"
    }
  }

  private static func bracketed(_ text: String) -> String {
    text.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
  }

  /// As one word in single quotes.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

import PoolReports
import PoolWire

/// The environment variables that users meet, with their meanings: for the help and the manual
/// page.
enum EnvironmentVariables {
  /// What each command finds in its environment.
  static let ofCommands =
    ExecutionVariable.allCases.map { (label: $0.rawValue, text: $0.meaning) } + [
      (
        label: CommandPayload.inputPrefix + "NAME",
        text: "the path of a file with the input NAME of the field inputs"
      )
    ]

  /// What decides which runs `opool report` finds.
  static let ofReports = [
    (
      label: KeptRunList.variable,
      text: """
      of how many runs 'opool report' without FILE finds the records: those on a terminal that \
      took more than 10 s, at most 10, and 50 MB together; 0 keeps none (10)
      """
    ),
    (
      label: "XDG_STATE_HOME",
      text: "folder in which these records are, in a folder opool (~/.local/state)"
    ),
  ]

  /// What opool itself reads.
  static let ofOpool =
    [
      (label: "PATH", text: "folders of programs; opool looks for a program in them once"),
      (label: "TMPDIR", text: "folder for temporary files, unless --tmpdir names one (/tmp)"),
      (label: "TERM", text: "dumb: no progress at the end of the terminal"),
      (label: "NO_COLOR", text: "no colours, unless --color asks for them"),
      (
        label: "MAKEFLAGS",
        text: "the jobserver of a make that has started opool by a recipe with +; see --jobserver"
      ),
      (
        label: GitHubPlaces.workspaceVariable,
        text: "the repository's folder, from which --ci=github names files"
      ),
    ] + ofReports
}

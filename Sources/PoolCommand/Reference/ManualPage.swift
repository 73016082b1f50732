import PoolInputs
import PoolModel
import PoolWire

/// The manual page of `opool`, in the macros of man(7).
///
/// It is made from the help's tables and texts, so that the two cannot differ.
enum ManualPage {
  static var text: String {
    """
    .TH OPOOL 1 "\(PackageVersion.date)" "opool \(PackageVersion.text)" "User Commands"
    .SH NAME
    opool \\- a pool of worker processes for graphs of commands
    .SH SYNOPSIS
    .nf
    \(verbatim(HelpText.synopsis))
    .fi
    .SH DESCRIPTION
    \(paragraph(HelpText.description))
    .SH SUBCOMMANDS
    \(rows(Subcommand.allCases.map { ($0.rawValue, $0.summary) }))
    .SH OPTIONS
    Those of
    .B opool run
    and
    .BR "opool map" ,
    unless a subcommand is named.
    \(options)
    .SH MANIFEST
    \(paragraph(HelpText.manifest))
    \(rows(ManifestField.allCases.map { ($0.name, $0.row.help) }))
    .SH INPUTS OF MAP
    .nf
    \(verbatim(HelpText.placeholders))
    .fi
    .SH OUTPUTS AND RESULTS
    \(paragraph(HelpText.results))
    .SH SIGNALS
    .nf
    \(verbatim(HelpText.signals))
    .fi
    .SH EXIT STATUS
    .nf
    \(verbatim(HelpText.exitCodes))
    .fi
    .SH ENVIRONMENT
    Each command finds in its environment:
    \(rows(EnvironmentVariables.ofCommands))
    .PP
    opool itself reads:
    \(rows(EnvironmentVariables.ofOpool))
    .SH EXAMPLES
    .nf
    \(verbatim(HelpText.examples))
    .fi
    .SH SEE ALSO
    .BR parallel (1),
    .BR xargs (1),
    .BR make (1)

    """
  }

  private static var options: String {
    Option.sections(in: nil).map { section in
      ".SS \(section.heading)\n"
        + rows(section.options.map { ($0.manualLabel, $0.row.help) })
    }.joined(separator: "\n")
  }

  /// Rows of a name in bold and its description.
  private static func rows(_ rows: [(label: String, text: String)]) -> String {
    rows.map { ".TP\n.B \(escaped($0.label))\n\(paragraph($0.text))" }.joined(separator: "\n")
  }

  /// Text that may be broken into other lines; empty lines begin paragraphs.
  private static func paragraph(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.allSatisfy { $0 == " " } ? ".PP" : line(String($0)) }
      .joined(separator: "\n")
  }

  /// Text whose lines and blanks stay.
  private static func verbatim(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
      .joined(separator: "\n")
  }

  /// One line, which is no request.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.first == "." || text.first == "'" ? "\\&" + text : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
      .replacing("^", with: "\\(ha").replacing("~", with: "\\(ti").replacing("`", with: "\\(ga")
  }
}

extension Option {
  /// The spelling in the manual, such as `-k, --keep-order` or `-n (run), --dry-run`.
  fileprivate var manualLabel: String {
    let short = row.letter.map {
      "-\($0)" + (row.letterScope == row.scope ? "" : row.letterScope.note)
    }
    let long = name.map { "--" + $0 }
    return [short, long].compactMap(\.self).joined(separator: ", ")
      + valueLabel + row.scope.note
  }
}

extension OptionRow.Scope {
  /// Names the only subcommands, in brackets; empty where both that execute have it, or all.
  fileprivate var note: String {
    if self == .both || self == .all { return "" }
    return
      " (\(HelpTopic.subcommands.map(HelpTopic.init).filter(contains).map(\.subcommand).joined(separator: ", ")))"
  }
}

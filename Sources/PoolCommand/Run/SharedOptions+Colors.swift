import OperationPool
import PoolReports
import PoolSystem

extension SharedOptions {
  /// The variable that makes programs use colours although they write into a pipe
  /// (https://bixense.com/clicolors).
  static let colorVariable = "CLICOLOR_FORCE"

  /// What the terminal behind standard error can show.
  var blockStyle: LiveBlock.Style {
    let environment = ProcessEnvironment.current
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { environment.value(of: $0) }.first { !$0.isEmpty }
    return LiveBlock.Style(
      hasColors: color.allows(
        isTerminal: Descriptors.isTerminal(2),
        noColor: environment.value(of: "NO_COLOR")
      ),
      isUnicode: locale.map { Self.isUnicode($0) } ?? false
    )
  }

  /// Whether commands are to use colours: their outputs go to a terminal, and to nothing else.
  var forcesColors: Bool {
    let environment = ProcessEnvironment.current
    return !display.isUngrouped && results == nil && journal.path == nil
      && environment.value(of: Self.colorVariable) == nil && Descriptors.isTerminal(1)
      && color.allows(isTerminal: true, noColor: environment.value(of: "NO_COLOR"))
  }

  /// Whether a locale's characters are those of UTF-8: `en_US.UTF-8`, `C.utf8`.
  private static func isUnicode(_ locale: [UInt8]) -> Bool {
    let name = String(decoding: locale, as: UTF8.self).lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}

extension PoolWorkerConfiguration {
  /// The same standard workers, whose commands use colours if these options want that.
  func coloring(by options: SharedOptions) -> Self {
    options.forcesColors ? setting(SharedOptions.colorVariable, to: "1") : self
  }
}

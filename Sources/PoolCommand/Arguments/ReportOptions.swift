import PoolInputs
package import PoolReports

/// The arguments of `opool report`.
package struct ReportOptions: Hashable, Sendable {
  /// The file of records; not empty.
  package var path: [UInt8]
  /// The file of the page; nil for a report as text on the standard output.
  package var page: [UInt8]?
  /// What the page leaves out.
  package var omissions: PageOptions.Omissions = []

  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Invocation {
    var (files, page): ([[UInt8]], [UInt8]?) = ([], nil)
    var omissions: PageOptions.Omissions = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch String(decoding: argument, as: UTF8.self) {
      case "--help", "-h": return .help(.general)
      case "--html":
        guard let file = rest.popFirst(), !file.isEmpty else {
          throw UsageError("--html needs a file", argument: argument)
        }
        page = file
      case "--omit": omissions.formUnion(try Self.omissions(rest.popFirst(), argument))
      case let word where word.hasPrefix("-"):
        throw UsageError("opool report has no such option", argument: argument)
      default: files.append(argument)
      }
    }
    guard files.count == 1, let path = files.first, !path.isEmpty else {
      throw UsageError("opool report needs one file")
    }
    guard omissions.isEmpty || page != nil else {
      throw UsageError("--omit is for the page of --html")
    }
    return .report(ReportOptions(path: path, page: page, omissions: omissions))
  }

  /// What a list of words leaves out of a page, such as `commands,outputs`.
  private static func omissions(
    _ words: [UInt8]?,
    _ argument: [UInt8]
  ) throws(UsageError) -> PageOptions.Omissions {
    var omissions: PageOptions.Omissions = []
    for word in (words ?? []).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    {
      switch String(decoding: word, as: UTF8.self) {
      case "commands": omissions.insert(.commands)
      case "outputs": omissions.insert(.outputs)
      default: throw UsageError("--omit takes 'commands', 'outputs' or both", argument: argument)
      }
    }
    guard !omissions.isEmpty else {
      throw UsageError("--omit takes 'commands', 'outputs' or both", argument: argument)
    }
    return omissions
  }
}
